import { Button } from '../../ui/controls.tsx';
import { t } from '../../words/dialog-texts.ts';
import { nextMessages, sendNow, takeBack } from './next-message.ts';
import './next-note.css';

/** The message that is sent when the answer has ended, with the ways to change it and to send it at once. */
export function NextNote({ id }: { id: string }) {
  const next = nextMessages.value[id];
  if (next === undefined) return null;
  const { text, attachments } = next;
  const edit = () => {
    takeBack(id);
    document.getElementById('composer')?.focus();
  };
  return (
    <div class="next-note" role="status">
      <div>
        <small>{t.chat.next}</small>
        {text !== '' && <p dir="auto">{text}</p>}
        {attachments.length > 0 && <small>{attachments.map(({ name }) => name).join(', ')}</small>}
      </div>
      <Button class="quiet" icon="edit" text={t.chat.takeBack} onClick={edit} />
      <Button
        class="quiet"
        icon="send"
        title={t.chat.sendNowHint}
        text={t.chat.sendNow}
        onClick={() => sendNow(id)}
      />
    </div>
  );
}
