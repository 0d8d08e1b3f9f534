import { toSize } from '../../words.ts';
import type { Attachment, Message } from '../conversations/conversation.ts';

/** What was attached to a question. */
export function Attachments({ message: { attachments = [] } }: { message: Message }) {
  return (
    <>
      {attachments.map((attachment, index) => (
        <Attached key={index} attachment={attachment} />
      ))}
    </>
  );
}

/** A picture or a sound; a text is folded. */
function Attached({ attachment }: { attachment: Attachment }) {
  if (attachment.kind === 'text')
    return (
      <details class="attached-text">
        <summary>
          {attachment.name} <small>{toSize(attachment.text.length)}</small>
        </summary>
        <pre tabindex={0}>{attachment.text}</pre>
      </details>
    );
  const { kind, dataUrl, name } = attachment;
  return kind === 'image' ? (
    <img class="attached" src={dataUrl} alt={name} />
  ) : (
    <audio controls src={dataUrl} aria-label={name} />
  );
}
