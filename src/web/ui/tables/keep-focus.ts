const focusable = ':is(button, a[href], summary, [tabindex="0"]):not(:disabled, main)';

/**
 * Where the focus may go, the nearest first: the element that has it, those around that, before it the one it belongs
 * to (`data-of`), and its dialog's opener.
 */
let places: readonly Element[] = [];
const openers = new WeakMap<Element, readonly Element[]>();

function placesOf(element: Element): Element[] {
  const near: Element[] = [];
  for (let at: Element | null = element; at !== null && !at.matches('main, body'); at = at.parentElement) {
    near.push(at);
    if (at.matches('dialog')) {
      if (!openers.has(at)) openers.set(at, places);
      return [...near, ...(openers.get(at) ?? [])];
    }
    const owner = at.getAttribute('data-of');
    if (owner !== null) near.push(...document.querySelectorAll(`[data-id="${CSS.escape(owner)}"]`));
    for (const beside of [at.previousElementSibling, at.nextElementSibling])
      if (beside !== null) near.push(beside);
  }
  return near;
}

// Buttons of a chat move the focus themselves: to their message, or to Undo.
const remember = (target: EventTarget | null) =>
  (places =
    target instanceof Element && target.closest('.thread, #composer') === null
      ? placesOf(target.closest(`${focusable}, input, select, textarea`) ?? target)
      : []);

/** The view that is open, or part of one, by the first part of the address; undefined: the address names none. */
const viewShown = () => /#\/(\w*)/.exec(location.hash)?.[1];

/** The one in which something was pressed last. */
let viewPressed = viewShown();

/** Whether another one was opened since. */
const isElsewhere = () => viewShown() !== undefined && viewShown() !== viewPressed;

/** Puts the focus on the title of the opened view: none of its buttons was gone to. */
function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('main h1');
  if (title === null) return;
  viewPressed = viewShown();
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}

/** Puts the focus beside an element that had it and was taken away, such as the button of a row that is deleted. */
function restore(): void {
  const [last] = places;
  if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
  if (isElsewhere()) return focusTitle();
  for (const place of places.filter((one) => one.isConnected))
    for (const next of place.matches(focusable) ? [place] : place.querySelectorAll(focusable)) {
      if (next instanceof HTMLElement) next.focus({ preventScroll: true });
      // One below a dialog, or that is not shown, takes none.
      if (document.activeElement === next) return;
    }
  // The title may have had it: that of a view which is loading goes, too.
  focusTitle();
}

// From when this is loaded the keyboard stays where it was, whatever is taken away.
remember(document.activeElement);
for (const event of ['focusin', 'pointerdown'])
  addEventListener(event, ({ target }) => remember(target), true);
for (const event of ['keydown', 'pointerdown'])
  addEventListener(event, () => (viewPressed = viewShown()), true);
new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
