/** Weight of the newest guess in the chances of its answer: a few wrong ones in a row end guessing there. */
const answerRate = 1 / 6;
/** Weight of the newest guess in what the next answers begin with. */
const historyRate = 1 / 48;
/** A guess whose first token is less likely than this is not worth a step, and finding it not worth its time. */
const leastChance = 0.15;
/** A drafter that is not worth asking is asked once in 8 steps all the same, to hear of it when that changes. */
const stepsBetweenTrials = 8;

export interface Chances {
  /** That a guess is right where the one before it was. */
  readonly afterHit: number;
  /** That it is right where the one before it was wrong. */
  readonly afterMiss: number;
}

/** How often a drafter was right in all answers of a model: each answer begins with that. */
export class AcceptanceHistory {
  #chances: Chances;

  /** `prior`: what is expected before the first guess. */
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
  #stepsUntilTrial = stepsBetweenTrials;

  constructor(history: AcceptanceHistory) {
    this.#history = history;
    this.#chances = history.chances;
  }

  /** Whether to ask the drafter for a guess in this step. */
  isWorthAsking(): boolean {
    const [chance = 0] = this.chances(1);
    if (chance >= leastChance || this.#stepsUntilTrial === 0) {
      this.#stepsUntilTrial = stepsBetweenTrials;
      return true;
    }
    this.#stepsUntilTrial--;
    return false;
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
