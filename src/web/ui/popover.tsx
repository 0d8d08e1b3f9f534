import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly class: string;
  /** What the button shows. */
  readonly button: ComponentChildren;
  /** What it opens, with how that is closed. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small sheet beside it. The arrow keys go through that; Escape and anything elsewhere close it. */
export function Popover({ label, class: name, button, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const opener = () => box.current?.querySelector<HTMLElement>(':scope > button');
  const close = () => {
    setOpen(false);
    opener()?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    const leave = ({ target }: Event) => {
      if (target instanceof Node && box.current?.contains(target) === false) setOpen(false);
    };
    for (const event of ['pointerdown', 'focusin'])
      document.addEventListener(event, leave, { signal: leaving.signal });
    return () => leaving.abort();
  }, [isOpen]);
  return (
    <span
      ref={box}
      class={`popover ${name}`}
      onKeyDown={(event) => {
        if (!isOpen) return;
        if (event.key === 'Escape') close();
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(box.current, event.key);
        else return;
        event.preventDefault();
      }}
    >
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && <Sheet label={label}>{children(close)}</Sheet>}
    </span>
  );
}

function Sheet({ label, children }: { label: string; children: ComponentChildren }) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sheet.current?.contains(document.activeElement) === false) step(sheet.current, 'ArrowDown');
  }, []);
  return (
    <div ref={sheet} class="sheet-over" role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** Moves the focus in the sheet to the control after the one that has it, or before it. */
function step(box: HTMLElement | null, key: 'ArrowDown' | 'ArrowUp'): void {
  const all = [...(box?.querySelectorAll<HTMLElement>('.sheet-over input, .sheet-over button') ?? [])];
  const at = all.findIndex((one) => one === document.activeElement);
  all.at(key === 'ArrowDown' ? (at + 1) % all.length : at - 1)?.focus();
}
