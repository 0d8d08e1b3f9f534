import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../controls.tsx';
import type { IconName } from '../icon.tsx';

export interface PopoverProps {
  readonly label: string;
  readonly class: string;
  /** Content of the button. */
  readonly button: ComponentChildren;
  readonly buttonClass?: string;
  /** The content that it opens; `close` closes that. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a small sheet beside it. The arrow keys go through that; Escape and anything elsewhere close it. */
export function Popover({ label, class: name, button, buttonClass, children }: PopoverProps) {
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
        // It closes nothing else.
        event.stopPropagation();
      }}
    >
      <button
        type="button"
        class={buttonClass}
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

interface MenuProps extends Omit<PopoverProps, 'children'> {
  readonly items: readonly (MenuItem | false)[];
  /** Content below them. */
  readonly children?: ComponentChildren;
}

interface MenuItem {
  readonly icon: IconName;
  readonly text: string;
  readonly act: () => void;
}

/** A button that opens a list of acts. */
export const Menu = ({ items, children, ...popover }: MenuProps) => (
  <Popover {...popover}>
    {(close) => (
      <>
        {items.map(
          (item) =>
            item && (
              <Button
                key={item.text}
                class="item"
                icon={item.icon}
                text={item.text}
                onClick={() => {
                  close();
                  item.act();
                }}
              />
            ),
        )}
        {children}
      </>
    )}
  </Popover>
);

/** Above all else, so that nothing that scrolls cuts it off. A press beside its controls leaves the focus in it. */
function Sheet({ label, children }: { label: string; children: ComponentChildren }) {
  const sheet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = sheet.current;
    if (element === null) return;
    element.showPopover();
    if (!element.contains(document.activeElement)) step(element, 'ArrowDown');
    const put = ({ target }: { target?: EventTarget | null } = {}) => {
      if (target !== element) putBeside(element);
    };
    const grown = new ResizeObserver(() => put());
    grown.observe(element);
    addEventListener('scroll', put, true);
    return () => {
      grown.disconnect();
      removeEventListener('scroll', put, true);
    };
  }, []);
  return (
    <div ref={sheet} popover="manual" tabindex={-1} class="sheet-over" role="group" aria-label={label}>
      {children}
    </div>
  );
}

const gapPx = 6;
const sidePx = 16;
/** A sheet that has less than this above and below its button covers that. */
const leastPx = 340;

/** Puts a sheet below its button, or above it where there is more room; it scrolls where that does not do. */
function putBeside(sheet: HTMLElement): void {
  const button = sheet.previousElementSibling?.getBoundingClientRect();
  if (button === undefined) return;
  const { offsetWidth: width, style } = sheet;
  const below = innerHeight - button.bottom - 2 * gapPx;
  const above = button.top - 2 * gapPx;
  const isBelow = sheet.offsetHeight <= below || below > above;
  const most = isBelow ? below : above;
  style.maxHeight = most >= leastPx && sheet.scrollHeight > most ? `${most}px` : '';
  const height = sheet.offsetHeight;
  const top = isBelow
    ? Math.min(button.bottom + gapPx, innerHeight - gapPx - height)
    : button.top - gapPx - height;
  style.top = `${Math.max(gapPx, top)}px`;
  style.left = `${Math.max(gapPx, Math.min(button.left, innerWidth - width - sidePx))}px`;
}

/** Moves the focus in the sheet to the control after the one that has it, or before it. */
function step(box: HTMLElement | null, key: 'ArrowDown' | 'ArrowUp'): void {
  const all = [...(box?.querySelectorAll<HTMLElement>('.sheet-over input, .sheet-over button') ?? [])];
  const at = all.findIndex((one) => one === document.activeElement);
  all.at(key === 'ArrowDown' ? (at + 1) % all.length : at - 1)?.focus();
}
