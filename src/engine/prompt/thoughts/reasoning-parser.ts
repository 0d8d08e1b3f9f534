import type { TurnEvent } from '../../generation/generation.ts';
import { EventReader, type Reading } from '../text/char-stream.ts';
import { channelMarkers, channelTexts, readChannels } from './read-channels.ts';
import { HeldText } from '../text/held-text.ts';
import { ToolCallParser, type ToolCallParserOptions } from '../tools/tool-call-parser.ts';
import { triggerTexts } from '../tools/tool-syntax.ts';
import {
  isControl,
  noMarkers,
  type AnswerMarkers,
  type ThoughtSyntax,
  type ThoughtTags,
} from './thought-tags.ts';
import { firstMarker } from '../text/text-cuts.ts';

/** A piece of a thought, or of the rest; calls of tools are still part of the rest. */
type ThoughtEvent = Extract<TurnEvent, { type: 'reasoning' | 'text' }>;

/** In characters: the beginning of a call up to the end of its tool's name. */
const longestCallBegin = 300;

export interface ReasoningParserOptions {
  /** Undefined: the model writes no thoughts. */
  readonly syntax: ThoughtSyntax | undefined;
  /** True when the prompt ended inside a thought. */
  readonly startsInThought: boolean;
  /** True when the prompt ended with the first words of that thought, or else of the answer: white space goes on. */
  readonly isBegun?: boolean;
  /** Markers that the model writes around an answer, and that are dropped at its edges. */
  readonly answer?: AnswerMarkers;
  /** Undefined: the request offers no tools. */
  readonly calls?: ToolCallParserOptions | undefined;
}

/**
 * Splits generated text into thoughts and the rest. Tags of thoughts count only at the beginning, or before the first
 * call where they are control tokens: later they are text, as an answer may be about such tags, and so is the marker at the end of an answer that has none at its
 * beginning. A thought also ends where a call of an offered tool begins in it, or the marker before an answer: all
 * else in it belongs to it. White space at the edges of a thought and before the answer is dropped. The events do not
 * depend on how the text was cut into pieces.
 */
export class ReasoningParser extends EventReader<ThoughtEvent> {
  readonly #options: ReasoningParserOptions;
  readonly #tools: readonly string[];
  readonly #callBegins: ReturnType<typeof triggerTexts>;
  #inThought: boolean;

  constructor(options: ReasoningParserOptions) {
    super();
    this.#options = options;
    const { calls } = options;
    this.#tools = calls?.tools.map(({ name }) => name) ?? [];
    this.#callBegins = calls ? triggerTexts(calls.syntax, this.#tools) : [];
    this.#inThought = options.startsInThought && options.syntax !== undefined;
    // The prompt holds the beginning of the thought's message: it is read as if the model had written it.
    if (this.#inThought && options.syntax?.kind === 'channels') this.chars.append(channelTexts.analysisBegin);
  }

  /** Whether the next text belongs to a thought, as far as the text so far tells. */
  get inThought(): boolean {
    return this.#inThought;
  }

  protected *read(): Reading<void> {
    const { syntax } = this.#options;
    if (syntax?.kind === 'channels') {
      yield* readChannels(this.chars, this.#tools, {
        emit: (type, text) => this.#say(type, text),
        setInThought: (inThought) => {
          this.#inThought = inThought;
        },
      });
      return;
    }
    const spaces = syntax ? yield* this.#readThoughts(syntax.tags) : new HeldText();
    yield* this.#readAnswer(spaces, syntax?.tags);
  }

  /** Reads the thoughts before an answer; returns the white space between, which is dropped where there was one. */
  *#readThoughts(tags: ThoughtTags): Reading<HeldText> {
    let before = new HeldText();
    let isBegun = this.#inThought && this.#options.isBegun === true;
    const begin = tags.begin.trimStart();
    for (;;) {
      if (!this.#inThought) {
        yield* this.chars.untilChar(/\S/, (spaces) => before.push(spaces));
        // A model that thinks no more may write the end of the thought only.
        const ended = yield* this.chars.acceptExactly(tags.end);
        if (!ended && !(yield* this.chars.acceptExactly(begin))) return before;
        if (ended) {
          before = new HeldText(true);
          continue;
        }
        this.#inThought = true;
      }
      before = new HeldText(true);
      if (!(yield* this.#readThought(tags, isBegun))) return before;
      isBegun = false;
    }
  }

  /** Reads a thought that has begun; whether it came to its own end. */
  *#readThought(tags: ThoughtTags, isBegun = false): Reading<boolean> {
    const { answer = noMarkers } = this.#options;
    const begin = answer.begin.startsWith('<|') ? [answer.begin] : [];
    const calls = this.#callBegins.filter(({ trigger }) => !trigger.atStart).map(({ text }) => text);
    const held = new HeldText(!isBegun);
    const emit = (text: string) => this.#say('reasoning', held.push(text));
    if (!isBegun) {
      // Where the template has opened the thought, the model may write the opening tag once more.
      yield* this.chars.skipSpaces();
      yield* this.chars.acceptExactly(tags.begin.trimStart());
    }
    for (;;) {
      const end = yield* this.chars.until([tags.end, ...begin, ...calls], emit);
      if (end === undefined) return false;
      const isClosed = end === tags.end;
      if (isClosed || begin.includes(end) || (yield* this.#callFollows(end, tags))) {
        if (isClosed) this.chars.skip(end.length);
        this.#inThought = false;
        return isClosed;
      }
      emit(end);
      this.chars.skip(end.length);
    }
  }

  /** Whether a call of an offered tool begins here with `trigger`; a thought may also speak of such a text. */
  *#callFollows(trigger: string, { end }: ThoughtTags): Reading<boolean> {
    const { calls } = this.#options;
    const parser = calls && new ToolCallParser(calls);
    for (let length = 1; length <= longestCallBegin; length++) {
      const ahead = yield* this.chars.lookAhead(length);
      if (ahead.length < length || ahead.endsWith(end) || ahead.lastIndexOf(trigger) > 0) return false;
      const [event] = parser?.push(ahead.slice(-1)) ?? [];
      if (event) return event.type === 'tool-call' && this.#tools.includes(event.name);
    }
    return false;
  }

  *#readAnswer(spaces: HeldText, tags: ThoughtTags | undefined): Reading<void> {
    const { answer = noMarkers, startsInThought, isBegun = false } = this.#options;
    const goesOn = isBegun && !startsInThought;
    let held = spaces;
    const emit = (text: string) => this.#say('text', held.push(text));
    yield* this.chars.untilChar(/\S/, emit);
    const isOpen = (answer.opened && !startsInThought) || goesOn;
    const begun = answer.begin !== '' && ((yield* this.chars.acceptExactly(answer.begin)) || isOpen);
    if (begun && !goesOn) held = new HeldText(true);
    let ends = begun && answer.end !== '' ? [answer.end + answer.rest, answer.end] : [];
    // Of tags that are control tokens no answer speaks: they begin and end thoughts anywhere, or are strays.
    let strays = tags && isControl(tags) ? [tags.begin.trim(), firstMarker(tags.begin), tags.end] : [];
    const calls = this.#callBegins.map(({ text }) => text).filter((text) => text !== '');
    for (;;) {
      const end = yield* this.chars.until([...ends, ...strays, ...(strays.length > 0 ? calls : [])], emit);
      if (end === undefined) break;
      if (tags && end === strays[0]) {
        this.#inThought = true;
        yield* this.#readThought(tags);
        continue;
      }
      this.chars.skip(end.length);
      if (strays.includes(end)) continue;
      if (!ends.includes(end)) strays = [];
      if (ends.includes(end) && (yield* this.#answerEnds())) ends = [];
      else emit(end);
    }
    this.#say('text', held.take());
  }

  /** Whether nothing but calls comes next. */
  *#answerEnds(): Reading<boolean> {
    // A character that models do not write matches only where the text ends.
    for (const { text } of [{ text: '\u0000' }, ...this.#callBegins])
      if ((yield* this.chars.match(` ${text}`, true)) >= 0) return true;
    return false;
  }

  #say(type: ThoughtEvent['type'], text: string): void {
    if (text !== '') this.emit({ type, text });
  }
}

/** The markers of thoughts and answers, which must be decoded to text even where they are control tokens. */
export function thoughtMarkers({ syntax, answer }: ReasoningParserOptions): string[] {
  const around = answer ? [answer.begin, answer.end, answer.rest] : [];
  const thought = syntax?.kind === 'tags' ? [syntax.tags.begin, syntax.tags.end] : [];
  const texts = syntax?.kind === 'channels' ? [...channelMarkers] : thought;
  return [...texts, ...around].filter((text) => text !== '');
}
