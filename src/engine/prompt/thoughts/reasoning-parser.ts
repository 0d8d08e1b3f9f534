import { CharStream, type Reading } from '../text/char-stream.ts';
import { channelMarkers, channelTexts, readChannels } from './read-channels.ts';
import { HeldText } from '../text/held-text.ts';
import type { ThoughtTags } from './thought-tags.ts';

/** A piece of a thought, or of the rest; calls of tools are still part of the rest. */
export interface ThoughtEvent {
  readonly type: 'reasoning' | 'text';
  readonly text: string;
}

export type ThoughtSyntax =
  | { readonly kind: 'tags'; readonly tags: ThoughtTags }
  | { readonly kind: 'channels' };

export interface ReasoningParserOptions {
  /** Undefined: the model writes no thoughts. */
  readonly syntax: ThoughtSyntax | undefined;
  /** True when the prompt ended inside a thought. */
  readonly startsInThought: boolean;
  /** Markers that the model writes around an answer and that are dropped; both '' for none. */
  readonly answer?: { readonly begin: string; readonly end: string };
}

/**
 * Splits generated text into thoughts and the rest. Tags of thoughts count only at the beginning: later they are
 * text, as an answer may be about such tags. Everything in a thought belongs to it, calls included. White space at
 * the edges of a thought and before the answer is dropped. The events do not depend on how the text was cut into
 * pieces.
 */
export class ReasoningParser {
  readonly #options: ReasoningParserOptions;
  readonly #chars = new CharStream();
  readonly #run: Reading<void>;
  #inThought: boolean;
  #events: ThoughtEvent[] = [];
  #done = false;

  constructor(options: ReasoningParserOptions) {
    this.#options = options;
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
      yield* readChannels(this.#chars, {
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
    for (;;) {
      if (!this.#inThought) {
        yield* this.#chars.passSpaces((spaces) => before.push(spaces));
        if (!(yield* this.#chars.acceptExactly(tags.begin))) return before;
        this.#inThought = true;
      }
      before = new HeldText(true);
      // Where the template has opened the thought, the model may write the opening tag once more.
      yield* this.#chars.skipSpaces();
      yield* this.#chars.acceptExactly(tags.begin);
      const held = new HeldText(true);
      const end = yield* this.#chars.until([tags.end], (text) => this.#emit('reasoning', held.push(text)));
      if (end === undefined) return before;
      this.#chars.skip(tags.end.length);
      this.#inThought = false;
    }
  }

  *#readAnswer(held: HeldText): Reading<void> {
    const { begin, end } = this.#options.answer ?? { begin: '', end: '' };
    const emit = (text: string) => this.#emit('text', held.push(text));
    if (begin === '') yield* this.#chars.until([], emit);
    else
      for (;;) {
        const marker = yield* this.#chars.until([begin, end].filter(Boolean), emit);
        if (marker === undefined) break;
        this.#chars.skip(marker.length);
      }
    this.#emit('text', held.take());
  }

  #emit(type: ThoughtEvent['type'], text: string): void {
    if (text !== '') this.#events.push({ type, text });
  }
}

/** The markers of thoughts and answers, which must be decoded to text even where they are control tokens. */
export function thoughtMarkers({ syntax, answer }: ReasoningParserOptions): string[] {
  const around = answer ? [answer.begin, answer.end] : [];
  const thought = syntax?.kind === 'tags' ? [syntax.tags.begin, syntax.tags.end] : [];
  const texts = syntax?.kind === 'channels' ? [...channelMarkers] : thought;
  return [...texts, ...around].filter((text) => text !== '');
}
