import type { TurnEvent } from '../../generation.ts';
import { CharStream, type Reading } from '../text/char-stream.ts';
import { channelMarkers, channelTexts, readChannels } from './read-channels.ts';
import { HeldText } from '../text/held-text.ts';
import type { ToolCallParserOptions } from '../tools/read/tool-call-parser.ts';
import { triggerTexts } from '../tools/tool-syntax.ts';
import { noMarkers, type AnswerMarkers, type ThoughtTags } from './thought-tags.ts';

/** A piece of a thought, or of the rest; calls of tools are still part of the rest. */
type ThoughtEvent = Extract<TurnEvent, { type: 'reasoning' | 'text' }>;

export type ThoughtSyntax =
  | { readonly kind: 'tags'; readonly tags: ThoughtTags }
  | { readonly kind: 'channels' };

export interface ReasoningParserOptions {
  /** Undefined: the model writes no thoughts. */
  readonly syntax: ThoughtSyntax | undefined;
  /** True when the prompt ended inside a thought. */
  readonly startsInThought: boolean;
  /** Markers that the model writes around an answer, and that are dropped at its edges. */
  readonly answer?: AnswerMarkers;
  /** Undefined: the request offers no tools. */
  readonly calls?: ToolCallParserOptions | undefined;
}

/**
 * Splits generated text into thoughts and the rest. Tags of thoughts count only at the beginning: later they are
 * text, as an answer may be about such tags, and so is the marker at the end of an answer that has none at its
 * beginning. Everything in a thought belongs to it, calls included. White space at the edges of a thought and before
 * the answer is dropped. The events do not depend on how the text was cut into pieces.
 */
export class ReasoningParser {
  readonly #options: ReasoningParserOptions;
  readonly #tools: readonly string[];
  readonly #chars = new CharStream();
  readonly #run: Reading<void>;
  #inThought: boolean;
  #events: ThoughtEvent[] = [];
  #done = false;

  constructor(options: ReasoningParserOptions) {
    this.#options = options;
    this.#tools = options.calls?.tools.map(({ name }) => name) ?? [];
    this.#inThought = options.startsInThought && options.syntax !== undefined;
    // The prompt holds the beginning of the thought's message: it is read as if the model had written it.
    if (this.#inThought && options.syntax?.kind === 'channels')
      this.#chars.append(channelTexts.analysisBegin);
    this.#run = this.#read();
  }

  /** Whether the next text belongs to a thought, as far as the text so far tells. */
  get inThought(): boolean {
    return this.#inThought;
  }

  /** The events that `text` adds. */
  push(text: string): readonly ThoughtEvent[] {
    this.#chars.append(text);
    return this.#resume();
  }

  /** The events that were held back, to be called when the generation has ended. */
  finish(): readonly ThoughtEvent[] {
    this.#chars.end();
    return this.#resume();
  }

  #resume(): readonly ThoughtEvent[] {
    if (!this.#done) this.#done = this.#run.next().done ?? false;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  *#read(): Reading<void> {
    const { syntax } = this.#options;
    if (syntax?.kind === 'channels') {
      yield* readChannels(this.#chars, this.#tools, {
        emit: (type, text) => this.#emit(type, text),
        setInThought: (inThought) => {
          this.#inThought = inThought;
        },
      });
      return;
    }
    yield* this.#readAnswer(syntax ? yield* this.#readThoughts(syntax.tags) : new HeldText());
  }

  /** Reads thoughts; returns the white space before the answer, which is dropped where a thought came before it. */
  *#readThoughts(tags: ThoughtTags): Reading<HeldText> {
    let before = new HeldText();
    const begin = tags.begin.trimStart();
    for (;;) {
      if (!this.#inThought) {
        yield* this.#chars.passSpaces((spaces) => before.push(spaces));
        // A model that thinks no more may write the end of the thought only.
        const ended = yield* this.#chars.acceptExactly(tags.end);
        if (!ended && !(yield* this.#chars.acceptExactly(begin))) return before;
        if (ended) {
          before = new HeldText(true);
          continue;
        }
        this.#inThought = true;
      }
      before = new HeldText(true);
      // Where the template has opened the thought, the model may write the opening tag once more.
      yield* this.#chars.skipSpaces();
      yield* this.#chars.acceptExactly(begin);
      const held = new HeldText(true);
      const end = yield* this.#chars.until([tags.end], (text) => this.#emit('reasoning', held.push(text)));
      if (end === undefined) return before;
      this.#chars.skip(tags.end.length);
      this.#inThought = false;
    }
  }

  *#readAnswer(spaces: HeldText): Reading<void> {
    const { answer = noMarkers, startsInThought } = this.#options;
    let held = spaces;
    const emit = (text: string) => this.#emit('text', held.push(text));
    yield* this.#chars.passSpaces(emit);
    const isOpen = answer.opened && !startsInThought;
    const begun = answer.begin !== '' && ((yield* this.#chars.acceptExactly(answer.begin)) || isOpen);
    if (begun) held = new HeldText(true);
    let ends = begun && answer.end !== '' ? [answer.end + answer.rest, answer.end] : [];
    for (;;) {
      const end = yield* this.#chars.until(ends, emit);
      if (end === undefined) break;
      this.#chars.skip(end.length);
      if (yield* this.#answerEnds()) ends = [];
      else emit(end);
    }
    this.#emit('text', held.take());
  }

  /** Whether nothing but calls comes next. */
  *#answerEnds(): Reading<boolean> {
    const { calls } = this.#options;
    const begins = calls ? triggerTexts(calls.syntax, this.#tools).map(({ text }) => text) : [];
    // A character that models do not write matches only where the text ends.
    for (const next of ['\u0000', ...begins])
      if ((yield* this.#chars.match(` ${next}`, true)) >= 0) return true;
    return false;
  }

  #emit(type: ThoughtEvent['type'], text: string): void {
    if (text !== '') this.#events.push({ type, text });
  }
}

/** The markers of thoughts and answers, which must be decoded to text even where they are control tokens. */
export function thoughtMarkers({ syntax, answer }: ReasoningParserOptions): string[] {
  const around = answer ? [answer.begin, answer.end, answer.rest] : [];
  const thought = syntax?.kind === 'tags' ? [syntax.tags.begin, syntax.tags.end] : [];
  const texts = syntax?.kind === 'channels' ? [...channelMarkers] : thought;
  return [...texts, ...around].filter((text) => text !== '');
}
