/** Weight of the newest guess in the chances of its answer: a few wrong ones in a row end guessing there. */
const answerRate = 1 / 6;
/** Weight of the newest guess in the chances with which the next answers begin. */
const historyRate = 1 / 48;
/**
 * A drafter that is not worth asking is asked all the same after 8 steps, then after 16 more, 32 more and so on, to hear of it
 * when that changes.
 */
const stepsUntilFirstTrial = 8;

/** A drafter may be better than it seems: it is asked where 0.6 of the right tokens that are needed are expected. */
const nearlyEnough = 0.6;

export interface Chances {
  /** That a guess is right where the one before it was. */
  readonly afterHit: number;
  /** That it is right where the one before it was wrong. */
  readonly afterMiss: number;
}

/** How often a drafter was right in all answers of a model: each answer begins with that. */
export class AcceptanceHistory {
  #chances: Chances;

  /** `prior`: the chances before the first guess. */
  constructor(prior: Chances) {
    this.#chances = prior;
  }

  get chances(): Chances {
    return this.#chances;
  }

  learn(isHit: boolean, wasHit: boolean): void {
    this.#chances = learned(this.#chances, isHit, wasHit, historyRate);
  }
}

/** How often a drafter is right in one answer. It is told of all guesses, also of those that no step computed. */
export class Acceptance {
  readonly #history: AcceptanceHistory;
  #chances: Chances;
  #wasHit = false;
  #stepsBetweenTrials = stepsUntilFirstTrial;
  #stepsUntilTrial = stepsUntilFirstTrial;

  constructor(history: AcceptanceHistory) {
    this.#history = history;
    this.#chances = history.chances;
  }

  /** Whether to ask the drafter for up to `most` tokens in this step, where `least` of them must be expected to be right. */
  isWorthAsking(most: number, least: number): boolean {
    if (expectedOf(this.chances(most)) >= nearlyEnough * least) return true;
    if (!this.waitForTrial()) return false;
    this.beginTrial();
    return true;
  }

  /** Counts a step for which the drafter is not asked. True: it is time for a trial. */
  waitForTrial(): boolean {
    return this.#stepsUntilTrial-- <= 0;
  }

  beginTrial(): void {
    this.#stepsBetweenTrials *= 2;
    this.#stepsUntilTrial = this.#stepsBetweenTrials;
  }

  /** For each of `count` guesses in a row the chance that it and all before it are right. */
  chances(count: number): number[] {
    const { afterHit, afterMiss } = this.#chances;
    let chance = 1;
    return Array.from({ length: count }, (_, at) => {
      chance *= at > 0 || this.#wasHit ? afterHit : afterMiss;
      return chance;
    });
  }

  /** Learns that `hits` guesses in a row were right, and whether a wrong one followed. */
  observe(hits: number, missed: boolean): void {
    if (hits > 0) this.#stepsBetweenTrials = stepsUntilFirstTrial;
    for (let hit = 0; hit < hits; hit++) this.#learn(true);
    if (missed) this.#learn(false);
  }

  #learn(isHit: boolean): void {
    this.#history.learn(isHit, this.#wasHit);
    this.#chances = learned(this.#chances, isHit, this.#wasHit, answerRate);
    this.#wasHit = isHit;
  }
}

function learned({ afterHit, afterMiss }: Chances, isHit: boolean, wasHit: boolean, rate: number): Chances {
  const change = (chance: number) => chance + rate * (Number(isHit) - chance);
  return wasHit ? { afterHit: change(afterHit), afterMiss } : { afterHit, afterMiss: change(afterMiss) };
}

/** How many tokens of a guess are expected to be right, by the chance of each that it and all before it are. */
export const expectedOf = (chances: readonly number[]): number =>
  chances.reduce((total, chance) => total + chance, 0);
