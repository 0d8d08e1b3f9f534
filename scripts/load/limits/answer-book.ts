import type { Store } from '../../../src/store/store.ts';
import type { Outcome } from './ask.ts';
import { auditBooks } from './books.ts';

/** Answers that the clients of one key have seen, to be compared with the server's books. */
export class AnswerBook {
  /** How often each pair of token counts was answered. */
  readonly #answers: Map<string, number>;
  /** Contradictions that were found; empty in a good run. */
  readonly problems: string[] = [];
  #answered: number;

  private constructor(answers: ReadonlyMap<string, number>, answered: number) {
    this.#answers = new Map(answers);
    this.#answered = answered;
  }

  static empty(): AnswerBook {
    return new AnswerBook(new Map(), 0);
  }

  /** Requests whose whole answer a client has. */
  get answered(): number {
    return this.#answered;
  }

  /** The answers so far, without those that come later. */
  snapshot(): AnswerBook {
    return new AnswerBook(this.#answers, this.#answered);
  }

  /** Takes down the outcome of a request. Kills break connections. */
  readonly note = (outcome: Outcome): void => {
    if (outcome.kind === 'answered') {
      this.#answered += 1;
      count(this.#answers, outcome.promptTokens, outcome.completionTokens);
    } else if (outcome.kind !== 'broken') this.problems.push(JSON.stringify(outcome));
  };

  /** Contradictions in the books of a server that has just started again; `keyId`: the key that all clients use. */
  audit(store: Store, keyId: string): string[] {
    const problems = auditBooks(store);
    const settled = new Map<string, number>();
    for (const entry of store.ledger.all()) {
      if (entry.keyId === keyId && !isInterrupted(entry))
        count(settled, entry.promptTokens, entry.completionTokens);
    }
    // Whoever has an answer was charged for it, even if the server died at the next moment.
    for (const [tokens, times] of this.#answers) {
      const missing = times - (settled.get(tokens) ?? 0);
      if (missing > 0) problems.push(`${missing} answers of ${tokens} tokens are missing from the ledger`);
    }
    return problems;
  }
}

/** Whether the server died before the request ended. */
export function isInterrupted({ status }: { status: number | null }): boolean {
  return status === null;
}

function count(counts: Map<string, number>, promptTokens: number, completionTokens: number): void {
  const name = `${promptTokens} + ${completionTokens}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
