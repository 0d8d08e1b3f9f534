/** Lets pieces of work go one after the other, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Steps of all contexts go one after the other, because each of them uses all threads that it may. */
const steps = new Turns();

/** Does work that uses the threads of steps when it is its turn. */
export const takeStep = <Result>(work: () => Promise<Result>): Promise<Result> => steps.take(work);
