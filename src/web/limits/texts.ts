interface NowAllowed {
  readonly isFree: boolean;
  readonly isOpen: boolean;
  readonly isForAll: boolean;
  readonly isAnyThere: boolean;
  readonly away: string;
}

/** The texts of the view of limits. */
export const limitsTexts = {
  /** `away`: the models that cannot be used, whatever is left. */
  now: (is: NowAllowed) => {
    if (!is.isAnyThere) return 'No model can be used right now';
    if (is.isFree) return 'No limits: use it as much as you like';
    if (is.isForAll) return `You can use everything ${is.away && `but ${is.away} `}right now`;
    return is.isOpen ? 'Some of your limits are used up' : 'You have used up your allowance for now';
  },
  away: (models: string, count: number, isElsewhere: boolean) =>
    isElsewhere
      ? `${models} ${count === 1 ? 'runs' : 'run'} on another server, which does not answer.`
      : `${models} could not be loaded.`,
  spentForEver: (name: string) => `All ${name} are used, and do not refill: ask the operator for more.`,
  spent: (name: string, models: string, time: string) =>
    `${models}: all ${name} are used. You get the next one in ${time}.`,
  models: 'Your models, and your use of them in 7 days',
  unused: (models: number) =>
    models === 1 ? '1 model that you have not used' : `${models} models that you have not used`,
  seeUsage: 'See it over time',
} as const;
