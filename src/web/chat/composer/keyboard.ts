/** Whether the page is used with fingers, whose keyboard has no Shift Enter and would cover half of the screen. */
export const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** Whether a key sends the message: Enter, which on a touched screen is a new line. */
export function isSending({ key, keyCode, isComposing, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  // Safari tells the Enter that ends a composition after its end, with this code only.
  const composes = isComposing || keyCode === 229;
  return key === 'Enter' && !composes && (ctrlKey || metaKey || !(shiftKey || isTouched()));
}

/** Has the next keys of the person go into the message. */
export const goWrite = (): void => document.getElementById('composer')?.focus();

/** As goWrite, after an act in a chat; fingers would bring up a keyboard that covers half of it. */
export function writeOn(): void {
  if (!isTouched()) goWrite();
}
