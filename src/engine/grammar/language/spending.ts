/** Counts the steps of a compilation; both throw when there were too many. */
export interface Spending {
  /** Steps so far. */
  readonly spent: number;
  spend(steps: number): void;
  /** Counts `steps` for what is kept under `key`, when it is first made. */
  spendOnce(key: string, steps: number): void;
}
