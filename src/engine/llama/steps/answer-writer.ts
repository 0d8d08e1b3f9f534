import type { GenerationChannel } from '../../generation/generation-channel.ts';
import { GeneratedTurn } from '../../prompt/generated-turn.ts';
import type { GeneratedTokenLogprob } from '../../generation/generation.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

const noTokens = new Uint32Array();

/** Sends the text of one answer's tokens to its channel, and counts them. */
export class AnswerWriter {
  readonly #prepared: PreparedRequest;
  readonly #vocabulary: Vocabulary;
  readonly #turn: GeneratedTurn;
  #completionTokens = 0;
  #reasoningTokens = 0;

  constructor(prepared: PreparedRequest, channel: GenerationChannel, vocabulary: Vocabulary) {
    this.#prepared = prepared;
    this.#vocabulary = vocabulary;
    this.#turn = new GeneratedTurn({
      reader: prepared.turn?.reader,
      stop: prepared.request.stop,
      emit: (event) => channel.emit(event),
    });
  }

  /** All tokens, thoughts included. */
  get completionTokens(): number {
    return this.#completionTokens;
  }

  get reasoningTokens(): number {
    return this.#reasoningTokens;
  }

  /** The reader of the model's turn; undefined where all is plain text. */
  get reader(): GeneratedTurn['reader'] {
    return this.#turn.reader;
  }

  /** The stop sequence that ended the answer. */
  get stopSequence(): string | undefined {
    return this.#turn.stopSequence;
  }

  /** True when a stop sequence ended the answer. `ended`: the token ends the turn. */
  write(token: number, ended: boolean, logprob?: GeneratedTokenLogprob): boolean {
    const wasInThought = this.#inThought;
    this.#completionTokens++;
    const shown = this.#prepared.turn?.shownTokens.has(token) === true;
    // The model ended its turn within a thought: `closeThought` ends the thought, and the answer follows.
    if (ended && (!shown || wasInThought)) return false;
    const bytes = shown ? this.#vocabulary.controlBytesOf(token) : this.#vocabulary.bytesOf(token);
    const honourStop = this.#completionTokens > this.#prepared.request.minTokens;
    const stopped = this.#turn.push(bytes, logprob, honourStop);
    if (wasInThought || this.#inThought) this.#reasoningTokens++;
    return stopped;
  }

  /**
   * Writes the end of a thought that is too long, or within which the model ended its turn (`ended`), and returns its
   * tokens; none where the thought may go on or is over.
   */
  closeThought(ended: boolean): Uint32Array {
    const { turn, maxTokens } = this.#prepared;
    if (turn === undefined || !this.#inThought) return noTokens;
    const mostTokens = turn.mostThoughtTokens ?? Number.POSITIVE_INFINITY;
    if (!ended && this.#reasoningTokens < mostTokens) return noTokens;
    if (this.#completionTokens + turn.closingTokens.length >= maxTokens) return noTokens;
    this.#turn.dropPartialCharacter();
    for (const token of turn.closingTokens) this.write(token, false);
    return turn.closingTokens;
  }

  /** Sends the text that was held back: the answer has ended. */
  finish(): void {
    this.#turn.finish();
  }

  get #inThought(): boolean {
    return this.#turn.reader?.inThought ?? false;
  }
}
