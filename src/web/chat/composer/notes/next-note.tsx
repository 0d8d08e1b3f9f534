import { Button, IconButton } from '../../../ui/controls.tsx';
import { t } from '../../../words/dialog-texts.ts';
import { joined } from '../../../words/formats.ts';
import { nextMessages, removeNext, sendNow, takeBack, type NextMessage } from '../queue/next-message.ts';
import { goWrite } from '../keyboard.ts';
import './next-note.css';

/** The messages that are sent one after another when the answer has ended, with the ways to change that. */
export function NextNote({ id }: { id: string }) {
  const messages = nextMessages(id);
  if (messages.length === 0) return null;
  return (
    <div class="next-note" role="status">
      <small>{t.chat.nextMessages(messages.length)}</small>
      <ol>
        {messages.map((message, index) => (
          <Next key={message.id} {...{ id, message, isFirst: index === 0 }} />
        ))}
      </ol>
    </div>
  );
}

interface NextProps {
  readonly id: string;
  readonly message: NextMessage;
  readonly isFirst: boolean;
}

function Next({ id, message, isFirst }: NextProps) {
  const { text, attachments } = message;
  const edit = () => {
    takeBack(id, message);
    goWrite();
  };
  return (
    <li>
      <span dir="auto">{joined(text, attachments.map(({ name }) => name).join(', '))}</span>
      {isFirst && (
        <Button
          class="quiet"
          icon="send"
          title={t.chat.sendNowHint}
          text={t.chat.sendNow}
          onClick={() => sendNow(id)}
        />
      )}
      <IconButton icon="edit" label={t.chat.takeBack} onClick={edit} />
      <IconButton icon="close" label={t.chat.removeNext} onClick={() => removeNext(id, message)} />
    </li>
  );
}
