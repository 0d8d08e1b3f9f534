import { useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { Button } from '../../ui/controls.tsx';

/** In characters and lines. */
const longText = 1500;
const manyLines = 16;

/** The text of a question; a long one is folded. */
export function Question({ text }: { text: string }) {
  const isLong = text.length > longText || text.split('\n', manyLines + 1).length > manyLines;
  const [isOpen, setOpen] = useState(!isLong);
  if (text === '') return null;
  return (
    <div class="question">
      <p class={isOpen ? undefined : 'folded'} dir="auto">
        {text}
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
  );
}
