import type { TurnEvent } from '../../generation/generation.ts';
import type { ToolDefinition } from '../../types.ts';
import { ArgumentTypes } from './schema/argument-types.ts';
import { NoCall, type CallReading } from './call-codec.ts';
import { codecOf } from './codecs/codec-of.ts';
import { EventReader, type CharStream, type Reading } from '../text/char-stream.ts';
import { HeldText } from '../text/held-text.ts';
import { firstMarker } from '../text/text-cuts.ts';
import { triggerTexts, type CallBody, type ToolSyntax } from './tool-syntax.ts';

/** Of each call, its beginning and the pieces of its arguments; the rest is text. */
export type ToolCallEvent = Exclude<TurnEvent, { type: 'reasoning' }>;

export interface ToolCallParserOptions {
  readonly syntax: ToolSyntax;
  /** The tools that may be called. Bare JSON counts as a call only with one of their names; their schemas type values. */
  readonly tools: readonly ToolDefinition[];
}

/**
 * Splits generated text without thoughts into text and calls. Events do not depend on how the text was cut into
 * pieces, markers do not come out as text, and nothing that a model writes makes the parser throw. Text that begins
 * as a call and is none is dropped. The arguments of a call that was cut off stay cut off: completed, they might
 * mean something else.
 */
export class ToolCallParser extends EventReader<ToolCallEvent> {
  readonly #options: ToolCallParserOptions;
  readonly #held = new HeldText();
  #calls = 0;
  #firstMarkerAt: number | undefined;

  constructor(options: ToolCallParserOptions) {
    super();
    this.#options = options;
  }

  /** Where in the text the first call begins that has a marker; undefined while there is none. */
  get firstMarkerAt(): number | undefined {
    return this.#firstMarkerAt;
  }

  protected *read(): Reading<void> {
    const { syntax, tools } = this.#options;
    const begins = triggerTexts(
      syntax,
      tools.map(({ name }) => name),
    );
    const anywhere = begins.filter(({ trigger }) => !trigger.atStart).map(({ text }) => text);
    const atStart = begins.filter(({ trigger }) => trigger.atStart);
    if (atStart.some(({ trigger }) => trigger.named)) yield* this.#readNamedCall(atStart);
    else if (atStart.length > 0) yield* this.#readBareCalls();
    for (;;) {
      const found = yield* this.chars.until(anywhere, (text) => this.#text(text));
      if (found === undefined) break;
      this.#firstMarkerAt ??= this.chars.position;
      this.#held.drop();
      yield* this.#readSection(begins.find(({ text }) => text === found)?.trigger.text ?? found);
    }
    // White space around calls is layout, but at the end of an answer without calls it belongs to the answer.
    if (this.#calls === 0) this.#emitText(this.#held.take());
  }

  /** Reads the call that begins with the name of a tool at the beginning of the answer, where one does. */
  *#readNamedCall(begins: readonly { readonly text: string }[]): Reading<void> {
    yield* this.chars.untilChar(/\S/, (spaces) => this.#text(spaces));
    for (const { text } of begins) {
      if ((yield* this.chars.match(text)) < 0) continue;
      this.#firstMarkerAt = this.chars.position;
      this.#held.drop();
      yield* this.#readCall();
      return;
    }
  }

  /** Reads calls without a marker: JSON or a list at the beginning of the answer, with the name of a tool in it. */
  *#readBareCalls(): Reading<void> {
    const { body, section } = this.#options.syntax;
    for (;;) {
      yield* this.chars.untilChar(/\S/, (spaces) => this.#text(spaces));
      const name = yield* readBareName(this.chars, body);
      if (name === undefined || !this.#options.tools.some((tool) => tool.name === name)) return;
      this.#held.drop();
      if (section.begin !== '') return yield* this.#readSection(section.begin.trimStart());
      if (!(yield* this.#readCall())) return;
      yield* this.chars.skipSpaces();
      yield* this.chars.accept(';');
    }
  }

  *#readSection(trigger: string): Reading<void> {
    const { section, call, separator } = this.#options.syntax;
    if (!(yield* this.#acceptBegin(trigger))) return yield* this.#skipRest();
    for (;;) {
      if (!(yield* this.#readCall())) return;
      yield* this.chars.skipSpaces();
      if (section.begin === '') return;
      if (section.end.trim() !== '' && (yield* this.chars.accept(section.end.trim(), true))) return;
      if (separator.trim() !== '') yield* this.chars.accept(separator.trim());
      yield* this.chars.skipSpaces();
      if ((yield* this.chars.peek()) === '') return;
      const goesOn = call.begin === '' ? this.#callFollows() : this.chars.accept(call.begin);
      if (!(yield* goesOn)) return yield* this.#skipRest();
    }
  }

  /** Whether the next character can begin a call, for calls without a marker of their own. */
  *#callFollows(): Reading<boolean> {
    const char = yield* this.chars.peek();
    return this.#options.syntax.body.kind === 'json' ? char === '{' : /[\w.-]/.test(char);
  }

  /** Whether the beginning of a call, from `trigger` on, was here and is now behind. */
  *#acceptBegin(trigger: string): Reading<boolean> {
    const { section, call } = this.#options.syntax;
    const begin = section.begin + call.begin;
    const at = begin.indexOf(trigger);
    if (at < 0) {
      this.chars.skip(trigger.length);
      yield* this.chars.skipSpaces();
      // The model wrote a marker that the template never writes, in place of the usual ones or before them.
      return begin === '' || (yield* this.chars.accept(begin)) || (yield* this.#callFollows());
    }
    if (yield* this.chars.accept(begin.slice(at))) return true;
    // The model may write the section's marker and then one call without the call's own marker.
    return (
      call.begin !== '' && at < section.begin.length && (yield* this.chars.accept(section.begin.slice(at)))
    );
  }

  /** Reads one call; whether it was whole, so that more may follow. */
  *#readCall(): Reading<boolean> {
    const { syntax, tools } = this.#options;
    const { body, call } = syntax;
    let index: number | undefined;
    const reading: CallReading = {
      chars: this.chars,
      syntax,
      begin: (name) => {
        index = this.#calls++;
        this.emit({ type: 'tool-call', index, name });
      },
      argumentsPiece: (text) => {
        if (index !== undefined) this.emit({ type: 'tool-arguments', index, text });
      },
      typesOf: (name) => new ArgumentTypes(tools.find((tool) => tool.name === name)?.parameters),
    };
    yield* this.chars.skipSpaces();
    try {
      yield* codecOf(body).read(body, reading);
    } catch (error) {
      if (!(error instanceof NoCall)) throw error;
      yield* this.#skipRest();
      return false;
    }
    yield* this.chars.skipSpaces();
    // A call counts even where the model forgot its end.
    if (call.end.trim() !== '') yield* this.#acceptEnd(call.end.trim());
    return true;
  }

  /** Passes over the end of a call, or the part of it that the model wrote. */
  *#acceptEnd(end: string): Reading<void> {
    let rest = end;
    while (rest !== '' && !(yield* this.chars.accept(rest, true)))
      rest = rest.slice(Math.max(1, firstMarker(rest).length)).trimStart();
  }

  /** Drops text up to and including the end of the section, or the call where calls stand alone. */
  *#skipRest(): Reading<void> {
    const { section, call } = this.#options.syntax;
    const end = (section.begin === '' ? call.end : section.end).trim();
    // Only the last marker of the end is looked for: the end may begin with a bracket, which JSON may hold too.
    const last = /<[^<>\s]+>$/.exec(end)?.[0] ?? end;
    const found = yield* this.chars.until(last === '' ? [] : [last], () => {});
    if (found !== undefined) this.chars.skip(found.length);
  }

  #text(text: string): void {
    this.#emitText(this.#held.push(text));
  }

  #emitText(text: string): void {
    if (text !== '') this.emit({ type: 'text', text });
  }
}

/** How a call without a marker begins: up to its name, and a text that may still become such a beginning. */
const bareJson = {
  // In OpenAI's shape other members may come before the name; they are passed over.
  whole:
    /^\[?\s*\{\s*(?:"(?:id|type)"\s*:\s*"[^"\\]*"\s*,\s*)*(?:"function"\s*:\s*\{\s*)?"(?:name|tool_name|function_name|function)"\s*:\s*"([^"\\]*)"/,
  begun: /^\[?\s*(?:\{\s*(?:"[^{}]*(?:\{[^{}]*)?)?)?$/,
};
const bareList = { whole: /^\[\s*([\w.-]+)\s*\(/, begun: /^\[\s*[\w.-]*\s*$/ };
const longestLookAhead = 200;

/** The name in the call without a marker that begins here, if one does; nothing is consumed. */
function* readBareName(chars: CharStream, body: CallBody): Reading<string | undefined> {
  const shape = body.kind === 'json' ? bareJson : bareList;
  for (let length = 1; length <= longestLookAhead; length++) {
    const ahead = yield* chars.lookAhead(length);
    const name = shape.whole.exec(ahead)?.[1];
    if (name !== undefined) return name;
    if (ahead.length < length || !shape.begun.test(ahead)) return undefined;
  }
  return undefined;
}
