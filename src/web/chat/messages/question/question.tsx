import { useState } from 'preact/hooks';
import { t } from '../../../words/texts.ts';
import { Button } from '../../../ui/controls.tsx';
import { cutOutCode } from '../../../ui/prose/blocks.ts';
import { Prose } from '../../../ui/prose/prose.tsx';
import { lazyPart } from '../../../ui/rendering/lazy-part.tsx';
import type { Message } from '../../conversations/conversation.ts';

const Attachments = lazyPart(async () => (await import('./attachments.tsx')).Attachments);

/** In characters and lines. */
const longText = 1500;
const manyLines = 16;

/** A question with its attachments; a long text is folded. */
export function Question({ message: { content, attachments = [] } }: { message: Message }) {
  const isLong = content.length > longText || content.split('\n', manyLines + 1).length > manyLines;
  const [isOpen, setOpen] = useState(!isLong);
  return (
    <>
      {attachments.length > 0 && <Attachments of={attachments} />}
      {content !== '' && (
        <div class="question">
          <Words text={content} isFolded={!isOpen} />
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

/** The text of a question as it was written, with its fenced programs as code. */
function Words({ text, isFolded }: { text: string; isFolded: boolean }) {
  const parts = cutOutCode(text);
  const name = isFolded ? 'folded' : undefined;
  return parts.length === 1 ? (
    <p class={name} dir="auto">
      {text}
    </p>
  ) : (
    <div class={name}>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <Prose key={index} text={part} />
        ) : (
          part !== '' && (
            <p key={index} dir="auto">
              {part}
            </p>
          )
        ),
      )}
    </div>
  );
}
