import { CharStream, type Reading } from '../text/char-stream.ts';
import { channelMarkers, channelTexts, readChannels } from './read-channels.ts';
import { HeldText } from '../text/held-text.ts';
import type { ThoughtTags } from './thought-tags.ts';

/** Part of what the model thought, or of what it said; calls of tools are still in what it said. */
export interface ThoughtEvent {
  readonly type: 'reasoning' | 'text';
  readonly text: string;
}

export type ThoughtSyntax =
  | { readonly kind: 'tags'; readonly tags: ThoughtTags }
  | { readonly kind: 'channels' };

export interface ReasoningParserOptions {
  /** Undefined: the model does not think, all is text. */
  readonly syntax: ThoughtSyntax | undefined;
  /** The prompt ended inside a thought. */
  readonly startsInThought: boolean;
  /** What the model writes around an answer and nobody should see; both '' for none. */
  readonly answer?: { readonly begin: string; readonly end: string };
}

/**
 * Splits generated text into thoughts and the rest. A thought counts only at the beginning, as in an answer
 * about such tags they are text; all that is in it is thought, calls included. White space at the edges of a
 * thought and between it and the answer is dropped. Events never depend on how the text was cut into pieces.
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
    // What the prompt holds of the thought's message is read as if the model had written it.
    if (this.#inThought && options.syntax?.kind === 'channels')
      this.#chars.append(channelTexts.analysisBegin);
    this.#run = this.#read();
  }

  /** Text that comes next belongs to a thought, as far as is known. */
  get inThought(): boolean {
    return this.#inThought;
  }

  /** What `text` adds. */
  push(text: string): readonly ThoughtEvent[] {
    this.#chars.append(text);
    return this.#resume();
  }

  /** What was held back: the generation ended. */
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

  /** The white space in front of the answer, which is the answer's own only where no thought came before. */
  *#readThoughts(tags: ThoughtTags): Reading<HeldText> {
    let before = new HeldText();
    for (;;) {
      if (!this.#inThought) {
        yield* this.#chars.passSpaces((spaces) => before.push(spaces));
        if (!(yield* this.#chars.acceptExactly(tags.begin))) return before;
        this.#inThought = true;
      }
      before = new HeldText(true);
      // Templates that open the thought may be answered by a model that opens it as well.
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

/** Texts that must come out of the detokeniser even where they are control tokens. */
export function thoughtMarkers({ syntax, answer }: ReasoningParserOptions): string[] {
  const around = answer ? [answer.begin, answer.end] : [];
  const thought = syntax?.kind === 'tags' ? [syntax.tags.begin, syntax.tags.end] : [];
  const texts = syntax?.kind === 'channels' ? [...channelMarkers] : thought;
  return [...texts, ...around].filter((text) => text !== '');
}
