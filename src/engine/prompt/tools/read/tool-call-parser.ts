import type { GenerationEvent, ToolDefinition } from '../../../types.ts';
import { ArgumentTypes } from '../argument-types.ts';
import type { CallReading, ReadOutcome } from './call-reading.ts';
import { CharStream, type Reading } from '../../text/char-stream.ts';
import { HeldText } from '../../text/held-text.ts';
import { readJsonCall } from './read-json-call.ts';
import { readTaggedCall } from './read-tagged-call.ts';
import { firstMarker } from '../../text/text-cuts.ts';
import type { ToolSyntax } from '../tool-syntax.ts';

/** For each call: one `tool-call`, any number of `tool-arguments`, one `call-ended`; indices count from 0. */
export type ToolCallEvent =
  | { readonly type: 'text'; readonly text: string }
  | Extract<GenerationEvent, { type: 'tool-call' | 'tool-arguments' }>
  | {
      readonly type: 'call-ended';
      readonly index: number;
      /** False: the text ended or went wrong inside; the arguments are then no whole JSON, on purpose. */
      readonly complete: boolean;
    }
  /** Something began as a call and was none: it is dropped, up to the end of what it began. */
  | { readonly type: 'malformed-call' };

export interface ToolCallParserOptions {
  readonly syntax: ToolSyntax;
  /** What the model may call: tells bare JSON that is a call from bare JSON that is an answer, and types values. */
  readonly tools: readonly ToolDefinition[];
}

/** How a call without a marker begins, up to its name, and what may still become that. */
interface BareShape {
  readonly whole: RegExp;
  readonly begun: RegExp;
}

const bareJson: BareShape = {
  // Members that OpenAI's shape has before the name are passed over.
  whole:
    /^\[?\s*\{\s*(?:"(?:id|type)"\s*:\s*"[^"\\]*"\s*,\s*)*(?:"function"\s*:\s*\{\s*)?"(?:name|tool_name|function_name|function)"\s*:\s*"([^"\\]*)"/,
  begun: /^\[?\s*(?:\{\s*(?:"[^{}]*(?:\{[^{}]*)?)?)?$/,
};
const bareList: BareShape = { whole: /^\[\s*([\w.-]+)\s*\(/, begun: /^\[\s*[\w.-]*\s*$/ };
const longestLookAhead = 200;

/**
 * Splits generated text (free of thoughts) into text and calls. Events never depend on how the text was cut into
 * pieces, markers never come out as text, and nothing that a model writes makes it throw.
 */
export class ToolCallParser {
  readonly #options: ToolCallParserOptions;
  readonly #chars = new CharStream();
  readonly #held = new HeldText();
  readonly #run: Reading<void>;
  #events: ToolCallEvent[] = [];
  #calls = 0;
  #done = false;

  constructor(options: ToolCallParserOptions) {
    this.#options = options;
    this.#run = this.#read();
  }

  /** What `text` adds. */
  push(text: string): readonly ToolCallEvent[] {
    this.#chars.append(text);
    return this.#resume();
  }

  /** What was held back: the generation ended. */
  finish(): readonly ToolCallEvent[] {
    this.#chars.end();
    return this.#resume();
  }

  #resume(): readonly ToolCallEvent[] {
    if (!this.#done) this.#done = this.#run.next().done ?? false;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  *#read(): Reading<void> {
    const { triggers, call, channels } = this.#options.syntax;
    // Of a call in a channel the whole header comes, in the one form that the reasoning parser makes of it.
    const anywhere = channels ? [{ text: call.begin }] : triggers.filter((trigger) => !trigger.atStart);
    if (triggers.some((trigger) => trigger.atStart)) yield* this.#readBareCalls();
    for (;;) {
      const found = yield* this.#chars.until(
        anywhere.map(({ text }) => text),
        (text) => this.#text(text),
      );
      if (found === undefined) break;
      this.#held.drop();
      yield* this.#readSection(found);
    }
    // White space around calls is layout; at the end of an answer without calls it is the answer's.
    if (this.#calls === 0) this.#emitText(this.#held.take());
  }

  /** Calls that nothing marks: JSON or a list at the very beginning, with the name of a tool in it. */
  *#readBareCalls(): Reading<void> {
    const { body, section } = this.#options.syntax;
    for (;;) {
      yield* this.#chars.passSpaces((spaces) => this.#text(spaces));
      const name = yield* this.#bareName(body.kind === 'json' ? bareJson : bareList);
      if (name === undefined || !this.#options.tools.some((tool) => tool.name === name)) return;
      this.#held.drop();
      if (section.begin !== '') return yield* this.#readSection(section.begin.trimStart());
      if (!(yield* this.#readCall())) return;
      yield* this.#chars.skipSpaces();
      yield* this.#chars.accept(';');
    }
  }

  *#bareName(shape: BareShape): Reading<string | undefined> {
    for (let length = 1; length <= longestLookAhead; length++) {
      const ahead = yield* this.#chars.lookAhead(length);
      const name = shape.whole.exec(ahead)?.[1];
      if (name !== undefined) return name;
      if (ahead.length < length || !shape.begun.test(ahead)) return undefined;
    }
    return undefined;
  }

  *#readSection(trigger: string): Reading<void> {
    const { section, call, separator } = this.#options.syntax;
    if (!(yield* this.#acceptBegin(trigger))) return yield* this.#malformed();
    for (;;) {
      if (!(yield* this.#readCall())) return;
      yield* this.#chars.skipSpaces();
      if (section.begin === '') return;
      if (section.end.trim() !== '' && (yield* this.#chars.accept(section.end.trim(), true))) return;
      if (separator.trim() !== '') yield* this.#chars.accept(separator.trim());
      yield* this.#chars.skipSpaces();
      if ((yield* this.#chars.peek()) === '') return;
      if (call.begin !== '' && !(yield* this.#chars.accept(call.begin))) return yield* this.#leaveSection();
      if (call.begin === '' && !(yield* this.#callFollows())) return yield* this.#leaveSection();
    }
  }

  /** Without a marker of its own, a call shows by its first character. */
  *#callFollows(): Reading<boolean> {
    const char = yield* this.#chars.peek();
    return this.#options.syntax.body.kind === 'json' ? char === '{' : /[\w.-]/.test(char);
  }

  /** Whether what begins a call, or as much of it as comes from `trigger` on, was here. */
  *#acceptBegin(trigger: string): Reading<boolean> {
    const { section, call } = this.#options.syntax;
    const begin = section.begin + call.begin;
    const at = begin.indexOf(trigger);
    if (at < 0) {
      this.#chars.skip(trigger.length);
      yield* this.#chars.skipSpaces();
      // A marker that the template never writes stands in place of the usual ones or before them.
      return begin === '' || (yield* this.#chars.accept(begin)) || (yield* this.#callFollows());
    }
    if (yield* this.#chars.accept(begin.slice(at))) return true;
    // The section's marker with one call right behind it, not in a list.
    return (
      call.begin !== '' && at < section.begin.length && (yield* this.#chars.accept(section.begin.slice(at)))
    );
  }

  /** Whether the call was whole, and more may follow. */
  *#readCall(): Reading<boolean> {
    const { body, call } = this.#options.syntax;
    let index: number | undefined;
    const reading: CallReading = {
      chars: this.#chars,
      begin: (name) => {
        index = this.#calls++;
        this.#events.push({ type: 'tool-call', index, name });
      },
      argumentsPiece: (text) => {
        if (index !== undefined) this.#events.push({ type: 'tool-arguments', index, text });
      },
      typesOf: (name) =>
        new ArgumentTypes(this.#options.tools.find((tool) => tool.name === name)?.parameters),
    };
    yield* this.#chars.skipSpaces();
    const outcome: ReadOutcome =
      body.kind === 'json' ? yield* readJsonCall(reading) : yield* readTaggedCall(reading, body, call.end);
    if (index !== undefined) this.#events.push({ type: 'call-ended', index, complete: outcome === 'whole' });
    if (outcome !== 'whole') {
      if (index === undefined) this.#events.push({ type: 'malformed-call' });
      yield* this.#skipRest();
      return false;
    }
    yield* this.#chars.skipSpaces();
    // A missing end is no reason to lose a whole call.
    if (call.end.trim() !== '') yield* this.#acceptEnd(call.end.trim());
    return true;
  }

  /** The end of a call, or the part of it that the model wrote. */
  *#acceptEnd(end: string): Reading<void> {
    let rest = end;
    while (rest !== '' && !(yield* this.#chars.accept(rest, true)))
      rest = rest.slice(Math.max(1, firstMarker(rest).length)).trimStart();
  }

  *#malformed(): Reading<void> {
    this.#events.push({ type: 'malformed-call' });
    yield* this.#skipRest();
  }

  *#leaveSection(): Reading<void> {
    yield* this.#skipRest();
  }

  /** Drops text up to and including what ends the section, or the call where calls stand alone. */
  *#skipRest(): Reading<void> {
    const { section, call } = this.#options.syntax;
    const end = (section.begin === '' ? call.end : section.end).trim();
    // The last marker of the end is certain to be the syntax's own, its beginning may be a bracket of JSON.
    const last = /<[^<>\s]+>$/.exec(end)?.[0] ?? end;
    const found = yield* this.#chars.until(last === '' ? [] : [last], () => {});
    if (found !== undefined) this.#chars.skip(found.length);
  }

  #text(text: string): void {
    this.#emitText(this.#held.push(text));
  }

  #emitText(text: string): void {
    if (text !== '') this.#events.push({ type: 'text', text });
  }
}
