import { useWork } from '../../state/polled.ts';
import { t } from '../../words/texts.ts';
import { Button } from '../controls.tsx';
import { Dialog } from './dialog.tsx';
import { Outcome } from '../outcome.tsx';

export interface Asked {
  /** The title, and the button that does it. */
  readonly action: string;
  readonly question: string | (() => string);
  /** The button that leaves all as it is. */
  readonly keep?: string;
  /** Does it. Where that fails, the question stays and tells why. */
  readonly onConfirm: () => unknown;
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
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog
      title={action}
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
      <p>{typeof question === 'string' ? question : question()}</p>
    </Dialog>
  );
}
