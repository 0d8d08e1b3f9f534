import { drafterNames, type DraftCounts, type DrafterName } from '../../observer.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { Acceptance, AcceptanceHistory, expectedOf } from './acceptance.ts';
import type { Drafter } from './drafter.ts';
import { PredictionDrafter } from './prediction-drafter.ts';
import { TextDrafter } from './text-drafter.ts';

/** A draft is no longer than this: the cost of a step grows with it, and the chance of its last tokens shrinks. */
export const mostDraftTokens = 15;
/** A model's own head is trained to guess one token, and guesses each further one from its guess of the one before. */
export const mostHeadTokens = 3;

/** How often each drafter was right in all answers of a model. */
export type DraftHistory = Readonly<Record<DrafterName, AcceptanceHistory>>;

/** The history of a model that has not answered yet. */
export const newDraftHistory = (): DraftHistory => ({
  grammar: new AcceptanceHistory({ afterHit: 0.9, afterMiss: 0.7 }),
  prediction: new AcceptanceHistory({ afterHit: 0.95, afterMiss: 0.6 }),
  text: new AcceptanceHistory({ afterHit: 0.8, afterMiss: 0.3 }),
  heads: new AcceptanceHistory({ afterHit: 0.75, afterMiss: 0.6 }),
});

/** The next tokens of an answer, as a drafter expects them. */
export interface Guess {
  readonly tokens: Uint32Array;
  /** For each token the chance that it and all before it are right. */
  readonly chances: readonly number[];
}

interface Source {
  readonly name: DrafterName;
  readonly drafter: Drafter;
  readonly acceptance: Acceptance;
  guessed: Uint32Array;
  drafted: number;
  accepted: number;
}

export interface SequenceDraftsOptions {
  readonly prepared: PreparedRequest;
  readonly vocabulary: Pick<Vocabulary, 'tokenizeGenerated' | 'endOfGeneration' | 'has'>;
  readonly history: DraftHistory;
  /** `prediction`: only the prediction of a request is a source of guesses. */
  readonly from: 'prediction' | 'all';
  /** The model's own heads can be asked. */
  readonly hasHeads?: boolean;
  /** The bytes that the grammar leaves no choice but to write next. */
  readonly ahead: () => Uint8Array;
}

/** Guesses the next tokens of one answer, by whoever is most likely to be right. */
export class SequenceDrafts {
  readonly #vocabulary: SequenceDraftsOptions['vocabulary'];
  readonly #sources: readonly Source[];
  /** Whose guess the next step computes, and how many tokens of it. */
  #computed: { readonly source: Source; readonly tokens: number } | undefined;
  #best: Source | undefined;
  readonly #heads: HeadsDrafter | undefined;

  constructor({ prepared, vocabulary, history, from, hasHeads = false, ahead }: SequenceDraftsOptions) {
    const { promptTokens, maxTokens, prediction, turn } = prepared;
    this.#vocabulary = vocabulary;
    this.#heads = hasHeads ? new HeadsDrafter() : undefined;
    const drafters: Record<DrafterName, Drafter | undefined> = {
      grammar: from === 'all' && turn?.constraint ? new GrammarDrafter(vocabulary, ahead) : undefined,
      prediction: prediction && new PredictionDrafter(prediction),
      text: from === 'all' ? new TextDrafter(promptTokens, promptTokens.length + maxTokens) : undefined,
      heads: this.#heads,
    };
    this.#sources = drafterNames.flatMap((name) => {
      const drafter = drafters[name];
      const acceptance = new Acceptance(history[name]);
      const counts = { guessed: new Uint32Array(), drafted: 0, accepted: 0 };
      return drafter === undefined ? [] : { name, drafter, acceptance, ...counts };
    });
  }

  /**
   * The guess of which most tokens are expected to be right; one without tokens where nobody has an idea. Slow drafters
   * are asked where about `least` right tokens are expected of them.
   */
  guess(least: number): Guess {
    let best: Guess & { readonly expected: number } = { tokens: new Uint32Array(), chances: [], expected: 0 };
    this.#computed = undefined;
    for (const source of this.#sources) {
      const { acceptance, drafter } = source;
      if (drafter.isSlow === true && !acceptance.isWorthAsking(mostDraftTokens, least)) continue;
      const tokens = this.#usable(drafter.guess(mostDraftTokens));
      source.guessed = tokens;
      if (tokens.length === 0) continue;
      const chances = acceptance.chances(tokens.length);
      const expected = expectedOf(chances);
      if (expected <= best.expected) continue;
      best = { tokens, chances, expected };
      this.#best = source;
    }
    return best;
  }

  /** How often the model's own heads are right; undefined: there are none, or others are likely to know better. */
  get headAcceptance(): Acceptance | undefined {
    const own = this.#sources.find(({ drafter }) => drafter === this.#heads)?.acceptance;
    if (own === undefined) return undefined;
    const most = expectedOf(own.chances(mostHeadTokens));
    const isKnown = ({ drafter, acceptance }: Source) =>
      drafter !== this.#heads &&
      drafter.isSlow !== true &&
      expectedOf(acceptance.chances(drafter.guess(mostDraftTokens).length)) > most;
    return this.#sources.some(isKnown) ? undefined : own;
  }

  /** Tokens that the model's own heads read before they guess; infinitely many before their first guess. */
  get unreadByHeads(): number {
    return this.#heads?.unread ?? Number.POSITIVE_INFINITY;
  }

  /** Tells the next tokens that the model's own heads expect. */
  tellHeads(guess: Uint32Array): void {
    this.#heads?.tell(guess);
  }

  /** Notes that the next step computes the first `tokens` tokens of the guess. */
  compute(tokens: number): void {
    if (this.#best !== undefined && tokens > 0) this.#computed = { source: this.#best, tokens };
  }

  /** Goes on by the answer's tokens since the last guess. */
  observe(tokens: Uint32Array): void {
    for (const source of this.#sources) {
      const { guessed, drafter, acceptance } = source;
      const hits = commonLength(guessed, tokens);
      acceptance.observe(hits, hits < Math.min(guessed.length, tokens.length));
      if (this.#computed?.source === source) {
        source.drafted += this.#computed.tokens;
        source.accepted += Math.min(hits, this.#computed.tokens);
      }
      source.guessed = new Uint32Array();
      drafter.advance(tokens);
    }
    this.#computed = undefined;
  }

  /** Of each drafter that the answer had. */
  get counts(): readonly DraftCounts[] {
    return this.#sources.map(({ name: drafter, drafted, accepted }) => ({ drafter, drafted, accepted }));
  }

  /** The tokens before the first one that ends an answer, or is none but stands for a picture. */
  #usable(tokens: Uint32Array): Uint32Array {
    const { endOfGeneration } = this.#vocabulary;
    const end = tokens.findIndex((token) => endOfGeneration.has(token) || !this.#vocabulary.has(token));
    return end < 0 ? tokens : tokens.subarray(0, end);
  }
}

function commonLength(a: Uint32Array, b: Uint32Array): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return at;
  return end;
}

/** Guesses the tokens of the model's own heads, which are asked between two steps. */
class HeadsDrafter implements Drafter {
  #told = new Uint32Array();
  /** Tokens of the answer since the last guess. */
  unread = Number.POSITIVE_INFINITY;

  tell(guess: Uint32Array): void {
    this.#told = new Uint32Array(guess);
    this.unread = 0;
  }

  guess(most: number): Uint32Array {
    return this.#told.subarray(0, most);
  }

  advance(tokens: Uint32Array): void {
    this.#told = new Uint32Array();
    this.unread += tokens.length;
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Guesses the text that a grammar leaves no choice but to write, in the tokens that the vocabulary has for such a text.
 * The model may write it in others, so that these are guesses too.
 */
class GrammarDrafter implements Drafter {
  readonly isSlow = true;
  readonly #vocabulary: Pick<Vocabulary, 'tokenizeGenerated'>;
  readonly #ahead: () => Uint8Array;

  /** `ahead` gives the bytes that must come next. */
  constructor(vocabulary: Pick<Vocabulary, 'tokenizeGenerated'>, ahead: () => Uint8Array) {
    this.#vocabulary = vocabulary;
    this.#ahead = ahead;
  }

  guess(most: number): Uint32Array {
    return this.#vocabulary.tokenizeGenerated(decoder.decode(this.#ahead())).subarray(0, most);
  }

  advance(): void {}
}
