import { useState } from 'preact/hooks';
import { t } from '../../../words/texts.ts';
import { Button } from '../../../ui/controls.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import type { Message } from '../../conversations/conversation.ts';

const Attachments = lazyPart(async () => (await import('./attachments.tsx')).Attachments);

/** In characters and lines. */
const longText = 1500;
const manyLines = 16;

/** A question with what was attached to it; a long text is folded. */
export function Question({ message: { content, attachments = [] } }: { message: Message }) {
  const isLong = content.length > longText || content.split('\n', manyLines + 1).length > manyLines;
  const [isOpen, setOpen] = useState(!isLong);
  return (
    <>
      {attachments.length > 0 && <Attachments of={attachments} />}
      {content !== '' && (
        <div class="question">
          <p class={isOpen ? undefined : 'folded'} dir="auto">
            {content}
          </p>
          {isLong && (
            <Button
              class="quiet"
              aria-expanded={isOpen}
              text={isOpen ? t.chat.showLess : t.chat.showWhole}
              onClick={() => setOpen(!isOpen)}
            />
          )}
        </div>
      )}
    </>
  );
}
