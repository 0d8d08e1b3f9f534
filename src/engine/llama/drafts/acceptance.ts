/** Weight of the newest guess. A drafter that was wrong a few times in a row is hardly asked any more. */
const learningRate = 1 / 6;

export interface Chances {
  /** That a guess is right where the one before it was. */
  readonly afterHit: number;
  /** That it is right where the one before it was wrong. */
  readonly afterMiss: number;
}

/** How often a drafter is right in one answer. It is told of all guesses, also of those that no step computed. */
export class Acceptance {
  #afterHit: number;
  #afterMiss: number;
  #wasHit = false;

  /** `prior`: what is expected before the first guess. */
  constructor(prior: Chances) {
    this.#afterHit = prior.afterHit;
    this.#afterMiss = prior.afterMiss;
  }

  /** For each of `count` guesses in a row the chance that it and all before it are right. */
  chances(count: number): number[] {
    let chance = 1;
    return Array.from({ length: count }, (_, at) => {
      chance *= at > 0 || this.#wasHit ? this.#afterHit : this.#afterMiss;
      return chance;
    });
  }

  /** Learns that `hits` guesses in a row were right, and whether a wrong one followed. */
  observe(hits: number, missed: boolean): void {
    for (let hit = 0; hit < hits; hit++) this.#learn(true);
    if (missed) this.#learn(false);
  }

  #learn(isHit: boolean): void {
    const change = (chance: number) => chance + learningRate * (Number(isHit) - chance);
    if (this.#wasHit) this.#afterHit = change(this.#afterHit);
    else this.#afterMiss = change(this.#afterMiss);
    this.#wasHit = isHit;
  }
}
