import type { CharStream, Reading } from '../../text/char-stream.ts';
import type { CallBody } from '../tool-syntax.ts';

/** How a call without a marker begins: up to its name, and what may still become such a beginning. */
interface BareShape {
  readonly whole: RegExp;
  readonly begun: RegExp;
}

const bareJson: BareShape = {
  // In OpenAI's shape other members may come before the name; they are passed over.
  whole:
    /^\[?\s*\{\s*(?:"(?:id|type)"\s*:\s*"[^"\\]*"\s*,\s*)*(?:"function"\s*:\s*\{\s*)?"(?:name|tool_name|function_name|function)"\s*:\s*"([^"\\]*)"/,
  begun: /^\[?\s*(?:\{\s*(?:"[^{}]*(?:\{[^{}]*)?)?)?$/,
};
const bareList: BareShape = { whole: /^\[\s*([\w.-]+)\s*\(/, begun: /^\[\s*[\w.-]*\s*$/ };
const longestLookAhead = 200;

/** The name in the call without a marker that begins here, if one does; nothing is consumed. */
export function* readBareName(chars: CharStream, body: CallBody): Reading<string | undefined> {
  const shape = body.kind === 'json' ? bareJson : bareList;
  for (let length = 1; length <= longestLookAhead; length++) {
    const ahead = yield* chars.lookAhead(length);
    const name = shape.whole.exec(ahead)?.[1];
    if (name !== undefined) return name;
    if (ahead.length < length || !shape.begun.test(ahead)) return undefined;
  }
  return undefined;
}
