import { toSize } from '../../words.ts';
import type { Message } from '../conversations/conversation.ts';

/** What was attached to a question; texts are folded. */
export function Attachments({ message: { attachments = [] } }: { message: Message }) {
  return (
    <>
      {attachments.map((attachment, index) => {
        const { name, kind } = attachment;
        if (kind === 'image') return <img key={index} class="attached" src={attachment.dataUrl} alt={name} />;
        if (kind === 'audio') return <audio key={index} controls src={attachment.dataUrl} />;
        return (
          <details key={index} class="attached-text">
            <summary>
              {name} <small>{toSize(attachment.text.length)}</small>
            </summary>
            <pre tabindex={0}>{attachment.text}</pre>
          </details>
        );
      })}
    </>
  );
}
