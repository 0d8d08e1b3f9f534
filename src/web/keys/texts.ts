const accountsOf = (count: number) => (count === 1 ? '1 account' : `${count} accounts`);

/** The texts of plans and budgets. */
export const planTexts = {
  plans: {
    create: 'New plan',
    lead: 'An account is on a plan, which limits each of its keys, and all of them together.',
    columns: {
      plan: 'Plan',
      limits: 'Each key, of each model',
      account: 'All keys of an account',
      used: 'Accounts',
    },
    allows: (limits: string, budgets: string) =>
      budgets === '' ? `Each key: ${limits}.` : `Each key: ${limits}. All keys together: ${budgets}.`,
    days: 'Lasts, in days',
    gone: 'This plan was deleted meanwhile, so nothing is saved.',
    exists: (name: string, isOfFile: boolean) =>
      isOfFile
        ? `hearth.yaml has a plan "${name}", which is changed there: take another name.`
        : `There is a plan "${name}" already: change that one, or take another name.`,
    sources: { built_in: 'built in', file: 'from hearth.yaml', made: '' },
    hint: 'Plans of hearth.yaml are changed in that file, and hold once hearth is started again.',
    titleOf: (name: string) => `Plan ${name}`,
    base: 'Begins as',
    copyOf: (name: string) => `a copy of ${name}`,
    empty: 'a plan without limits',
    limits: 'For each key and model',
    limit: 'Limit',
    measures: {
      requests: 'requests',
      input_tokens: 'input tokens',
      output_tokens: 'output tokens',
      audio_seconds: 'audio',
    },
    wrong: {
      number: 'Write a number, such as 20,000 or 20K.',
      time: 'Write a time, such as 10 h, 30 min or 45 s.',
      least: (least: string) => `At least ${least}.`,
      whole: 'Only whole numbers.',
    },
    times: {
      minute: 'minute',
      hour: 'hour',
      day: 'day',
      week: 'week',
      month: 'month',
      '30d': '30 days',
    } as Readonly<Record<string, string>>,
    ofAudio: ' of audio',
    windows: { minute: 'a minute', hour: 'an hour', day: 'a day', '30d': '30 days' },
    ofAccount: 'Of each account on the plan, over all its keys.',
    remove: 'Delete the plan',
    removeQuestion: (name: string, accounts: number, isBuiltIn: boolean) =>
      [
        `Delete the plan "${name}"?`,
        ...(accounts > 0 ? [`On it: ${accountsOf(accounts)}.`] : []),
        ...(isBuiltIn ? ['The built-in plan of its name holds again.'] : []),
      ].join(' '),
    changes: (accounts: number, isDeletable: boolean) =>
      `${accountsOf(accounts)} ${accounts === 1 ? 'has' : 'have'} this plan: what is saved holds for ${accounts === 1 ? 'it' : 'them'} at once.${isDeletable ? '' : ' It can be deleted once none has it.'}`,
  },
  budgets: {
    title: 'Budgets, of all models together',
    limit: 'Budget',
    measure: 'Of',
    period: 'Per',
    measures: { tokens: 'tokens', requests: 'requests', audio_seconds: 'audio', units: 'units' },
    periods: { day: 'a day', week: 'a week', month: 'a month', ever: 'for ever' },
    add: 'Add a budget',
    remove: 'Remove the budget',
    ofAccount: 'Of all keys of the account together. Budgets of its plan hold where it has none of its own.',
    name: (measure: string, period: string, isOfAccount: boolean) =>
      `${measure} ${period === 'ever' ? 'for ever' : `per ${period}`}${isOfAccount ? ' of the account' : ''}`,
    full: (when: string) => `full again ${when}`,
  },
} as const;
