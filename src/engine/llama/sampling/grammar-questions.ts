import { AppError } from '../../../errors/errors.ts';
import { Slices } from '../../../timing/slices.ts';

/** A grammar with so many alternatives at one place that finding one token takes longer is too slow to serve. */
const mostAskingMs = 1000;
/** The same for the way in which llama.cpp asks about every token of the vocabulary. */
const mostAskingAboutAllMs = 5000;

/**
 * The questions about tokens that a grammar is asked for one draw. Each costs more the more alternatives the grammar
 * follows at that place. They are asked on the main thread, so other work comes in between.
 */
export class GrammarQuestions {
  readonly #slices = new Slices();
  readonly #allows: (token: number) => boolean;
  #asked = 0;

  constructor(allows: (token: number) => boolean) {
    this.#allows = allows;
  }

  /** Other work should have its turn: `pause` is to be awaited before the next question. */
  get isPauseDue(): boolean {
    return this.#slices.isOver;
  }

  allows(token: number): boolean {
    this.#asked++;
    return this.#allows(token);
  }

  /** Lets other work have its turn. Throws schema_too_complex when the questions have taken too long altogether. */
  async pause(): Promise<void> {
    if (this.#slices.spentMs > mostAskingMs) throw tooManyAlternatives();
    await this.#slices.next();
  }

  /** Throws schema_too_complex when asking about `tokens` would take too long, judged by the questions so far. */
  mustAllowAskingAbout(tokens: number): void {
    const msPerQuestion = this.#asked === 0 ? 0 : this.#slices.spentMs / this.#asked;
    if (msPerQuestion * tokens > mostAskingAboutAllMs) throw tooManyAlternatives();
  }
}

const tooManyAlternatives = () =>
  new AppError(
    'schema_too_complex',
    'The schema has so many alternatives at one place of the answer that finding the next token takes too long. ' +
      'Use fewer branches of anyOf, oneOf or enum there, or let them begin differently.',
  );
