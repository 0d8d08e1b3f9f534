import type { CallReading, ReadOutcome } from './call-reading.ts';
import type { CharStream, Reading } from '../../text/char-stream.ts';
import { parseArguments } from '../call-arguments.ts';
import { JsonScanner } from '../../text/json-scanner.ts';

/** The keys of the arguments and of the name: models sometimes use the keys of other families. */
const argumentKeys = new Set(['arguments', 'parameters', 'args', 'input', 'params']);
const nameKeys = new Set(['name', 'tool_name', 'function_name']);
/** The key of a member that holds name and arguments, as in OpenAI's shape. */
const wrapperKey = 'function';

/** Reads `{"name": …, "arguments": {…}}`. The members may come in any order; others are ignored. */
export function* readJsonCall(reading: CallReading): Reading<ReadOutcome> {
  const state: JsonCall = { name: undefined, early: undefined, hasArguments: false };
  const outcome = yield* readMembers(reading, state, 0);
  if (outcome !== 'whole') return outcome;
  if (state.name === undefined) return 'malformed';
  if (!state.hasArguments) reading.argumentsPiece('{}');
  return 'whole';
}

interface JsonCall {
  name: string | undefined;
  /** Arguments that came before the name. */
  early: string | undefined;
  hasArguments: boolean;
}

function* readMembers(reading: CallReading, state: JsonCall, depth: number): Reading<ReadOutcome> {
  const { chars } = reading;
  if (!(yield* chars.acceptExactly('{'))) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
  for (;;) {
    yield* chars.skipSpaces();
    const char = yield* chars.peek();
    if (char === '') return 'cut';
    if (char === '}') {
      chars.skip(1);
      return 'whole';
    }
    if (char === ',') {
      chars.skip(1);
      continue;
    }
    if (char !== '"') return 'malformed';
    const key = yield* readText(chars);
    if (key.outcome !== 'whole') return key.outcome;
    yield* chars.skipSpaces();
    if (!(yield* chars.acceptExactly(':'))) return (yield* chars.peek()) === '' ? 'cut' : 'malformed';
    yield* chars.skipSpaces();
    const outcome = yield* readMember(reading, state, JSON.parse(key.text) as string, depth);
    if (outcome !== 'whole') return outcome;
  }
}

function* readMember(
  reading: CallReading,
  state: JsonCall,
  key: string,
  depth: number,
): Reading<ReadOutcome> {
  const { chars } = reading;
  if (argumentKeys.has(key) && !state.hasArguments) {
    state.hasArguments = true;
    return yield* readArguments(reading, state);
  }
  if (depth === 0 && key === wrapperKey && (yield* chars.peek()) === '{')
    return yield* readMembers(reading, state, depth + 1);
  const { outcome, text } = yield* readText(chars);
  if (outcome !== 'whole') return outcome;
  if ((nameKeys.has(key) || key === wrapperKey) && state.name === undefined && text.startsWith('"')) {
    state.name = JSON.parse(text) as string;
    reading.begin(state.name);
    if (state.early !== undefined) reading.argumentsPiece(state.early);
  }
  return 'whole';
}

function* readArguments(reading: CallReading, state: JsonCall): Reading<ReadOutcome> {
  const { chars } = reading;
  const streams = state.name !== undefined && (yield* chars.peek()) === '{';
  if (streams) return yield* readValue(chars, (piece) => reading.argumentsPiece(piece));
  const { outcome, text } = yield* readText(chars);
  if (outcome !== 'whole') return outcome;
  const json = text.startsWith('{') ? text : argumentsFromValue(text);
  if (state.name === undefined) state.early = json;
  else reading.argumentsPiece(json);
  return 'whole';
}

/** Arguments that are not written as an object: a string may hold their JSON; any other value counts as none. */
function argumentsFromValue(text: string): string {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? JSON.stringify(parseArguments(value)) : '{}';
}

function* readText(chars: CharStream): Reading<{ outcome: ReadOutcome; text: string }> {
  let text = '';
  const outcome = yield* readValue(chars, (piece) => {
    text += piece;
  });
  return { outcome, text };
}

/** Passes the text of one JSON value to `emit` as it comes, which is the beginning of valid JSON at any time. */
export function* readValue(chars: CharStream, emit: (piece: string) => void): Reading<ReadOutcome> {
  const scanner = new JsonScanner();
  for (;;) {
    const pending = yield* chars.pending();
    if (pending === '') return scanner.step(' ') === 'after' ? 'whole' : 'cut';
    let length = 0;
    let outcome: ReadOutcome | undefined;
    while (outcome === undefined && length < pending.length) {
      const step = scanner.step(pending.charAt(length));
      if (step === 'after') outcome = 'whole';
      else if (step === 'wrong') outcome = 'malformed';
      else length++;
      if (step === 'last') outcome = 'whole';
    }
    chars.skip(length);
    if (length > 0) emit(pending.slice(0, length));
    if (outcome !== undefined) return outcome;
  }
}
