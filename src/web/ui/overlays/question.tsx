import { useWork } from '../../state/polled.ts';
import { t } from '../../words/dialog-texts.ts';
import { Button } from '../controls.tsx';
import { Dialog } from './dialog.tsx';
import { Outcome } from '../outcome.tsx';

export interface Asked {
  /** The button that does it. */
  readonly action: string;
  /** The question, followed by what the act does. */
  readonly question: string | (() => string);
  /** The button that leaves all as it is. */
  readonly keep?: string;
  /** Does it. Where that fails, the question stays and tells why. */
  readonly onConfirm: () => unknown;
}

/** The title asks: with the first sentence, where that is a question, and otherwise with the act. */
function inParts(question: string, action: string): readonly [title: string, rest: string] {
  const [asked, title = `${action}?`] = /^(.*?\?)(?:\s|$)/.exec(question) ?? [''];
  return [title, question.slice(asked.length)];
}

/** Asks, and does the act that it asks about; where that fails it stays. */
export function Question({
  action,
  question,
  keep = t.shell.cancel,
  onConfirm,
  onClose,
}: Asked & { onClose: () => void }) {
  const work = useWork();
  const [title, rest] = inParts(typeof question === 'string' ? question : question(), action);
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Outcome of={work} />
          <Button autofocus text={keep} onClick={onClose} />
          <Button
            class="danger"
            isBusy={work.isBusy}
            text={action}
            onClick={() => void work.act(confirm())}
          />
        </>
      }
    >
      {rest !== '' && <p>{rest}</p>}
    </Dialog>
  );
}
