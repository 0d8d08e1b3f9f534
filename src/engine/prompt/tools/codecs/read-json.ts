import type { CharStream, Reading } from '../../text/char-stream.ts';
import { JsonScanner } from '../../text/json-scanner.ts';
import { NoCall } from '../call-codec.ts';

/** Passes the text of one JSON value to `emit` as it comes, which is the beginning of valid JSON at any time. */
export function* readJson(chars: CharStream, emit: (piece: string) => void): Reading<void> {
  const scanner = new JsonScanner();
  for (;;) {
    const pending = yield* chars.pending();
    let length = 0;
    let step = pending === '' ? scanner.step(' ') : undefined;
    while (length < pending.length && (step === undefined || step === 'inside')) {
      step = scanner.step(pending.charAt(length));
      if (step === 'inside' || step === 'last') length++;
    }
    chars.skip(length);
    if (length > 0) emit(pending.slice(0, length));
    if (step === 'last' || step === 'after') return;
    if (step === 'wrong' || pending === '') throw new NoCall();
  }
}

/** The text of one JSON value. */
export function* readJsonText(chars: CharStream): Reading<string> {
  let text = '';
  yield* readJson(chars, (piece) => {
    text += piece;
  });
  return text;
}

/** The next character that is not white space; throws NoCall at the end of the text. */
export function* next(chars: CharStream): Reading<string> {
  yield* chars.skipSpaces();
  return yield* present(chars);
}

/** The next character; throws NoCall at the end of the text. */
export function* present(chars: CharStream): Reading<string> {
  const char = yield* chars.peek();
  if (char === '') throw new NoCall();
  return char;
}

/** Passes over white space and the character `text`; throws NoCall where another one is there. */
export function* take(chars: CharStream, text: string): Reading<void> {
  if ((yield* next(chars)) !== text) throw new NoCall();
  chars.skip(1);
}

/** Passes over commas, of which some may be missing; false, with it passed over as well, where `close` comes. */
export function* reachItem(chars: CharStream, close: string | undefined): Reading<boolean> {
  for (;;) {
    const char = yield* next(chars);
    if (char !== ',' && char !== close) return true;
    chars.skip(1);
    if (char === close) return false;
  }
}
