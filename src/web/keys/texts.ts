/** Who is on a plan, and whether that is one. */
const onIt = (accounts: number, invitations: number) => ({
  who: [
    accounts > 0 && (accounts === 1 ? '1 account' : `${accounts} accounts`),
    invitations > 0 && (invitations === 1 ? '1 open invitation' : `${invitations} open invitations`),
  ]
    .filter(Boolean)
    .join(' and '),
  isOne: accounts + invitations === 1,
});

const keepsName = 'A plan keeps its name.';
const beginAnew = 'They start again at midnight, on Mondays, or on the first of the month.';

/** The texts of plans and budgets. */
export const planTexts = {
  plans: {
    lead: 'Every account is on a plan, which limits each of its keys and all of them together.',
    columns: {
      plan: 'Plan',
      limits: 'Each key, of each model',
      account: 'All keys of an account',
      used: 'Accounts',
    },
    ofEachKey: (limits: string) => `Each key: ${limits}`,
    allows: (limits: string, budgets: string) =>
      budgets === '' ? `Each key: ${limits}.` : `Each key: ${limits}. All keys together: ${budgets}.`,
    make: 'Create plan',
    days: 'Duration in days',
    gone: 'This plan has been deleted in the meantime, so nothing was saved.',
    exists: (name: string, isOfFile: boolean) =>
      isOfFile
        ? `hearth.yaml already has a plan "${name}": change it there, or choose another name.`
        : `There is already a plan "${name}": change that one, or choose another name.`,
    sources: { built_in: 'built in', file: 'set in hearth.yaml', made: 'made here' },
    copy: 'Copy',
    ofFile: (name: string) =>
      `The plan "${name}" is set in hearth.yaml, and changed there. What you save here is a new plan, which starts as a copy of it.`,
    titleOf: (name: string) => `Plan ${name}`,
    base: 'Starts as',
    copyOf: (name: string) => `a copy of ${name}`,
    empty: 'a plan without limits',
    limits: 'For each key and model',
    limitsExample: (count: number, each: string) =>
      `Limits refill bit by bit: of ${count.toLocaleString('en')} requests a minute, one comes back every ${each}.`,
    noEffect: (limits: string) => `A longer time allows less, so this has no effect: ${limits}.`,
    limit: 'Limit',
    measures: {
      requests: 'requests',
      input_tokens: 'input tokens',
      output_tokens: 'output tokens',
      audio_seconds: 'audio',
    },
    wrong: {
      number: 'Enter a number, such as 20,000 or 20K.',
      time: 'Enter a time, such as 10 h, 30 min or 45 s.',
      positive: 'Enter an amount above 0.',
      least: (least: string) => `At least ${least}.`,
      most: (most: string) => `At most ${most}.`,
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
    ofAccount: `For each account on the plan, over all its keys and models. ${beginAnew}`,
    remove: 'Delete plan',
    removeQuestion: (name: string, isBuiltIn: boolean, accounts: number, invitations: number) => {
      const { who, isOne } = onIt(accounts, invitations);
      const then = isBuiltIn
        ? `The built-in plan of that name applies again${who === '' ? '' : isOne ? ' for it' : ' for them'}.`
        : 'This cannot be undone.';
      return who === ''
        ? `Delete the plan "${name}"? No account and no open invitation is on it. ${then}`
        : `Delete the plan "${name}"? ${who} ${isOne ? 'is' : 'are'} on it. ${then}`;
    },
    made: (name: string) => `Created the plan "${name}".`,
    saved: (name: string) => `Saved the plan "${name}".`,
    removed: (name: string) => `Deleted the plan "${name}".`,
    changes: (isDeletable: boolean, accounts: number, invitations: number) => {
      const { who, isOne } = onIt(accounts, invitations);
      if (who === '') return keepsName;
      return `${keepsName} ${who} ${isOne ? 'has' : 'have'} this plan: changes apply to ${isOne ? 'it' : 'them'} at once.${isDeletable ? '' : ' It can be deleted once nothing uses it.'}`;
    },
  },
  budgets: {
    title: 'Budgets over all models',
    titleOfAccount: (account: string) => `Budgets of the account "${account}", for all its keys together`,
    limit: 'Budget',
    measure: 'Of',
    period: 'Per',
    measures: { tokens: 'tokens', requests: 'requests', audio_seconds: 'audio', units: 'units' },
    periods: { day: 'a day', week: 'a week', month: 'a month', ever: 'for ever' },
    units:
      'Units are what requests cost by the prices of models in hearth.yaml. A model without a price costs none.',
    add: 'Add a budget',
    remove: 'Remove budget',
    ofAccount:
      'For all keys of the account together. Budgets of its plan apply where it has none of its own.',
    name: (measure: string, period: string, isOfAccount: boolean) =>
      `${measure} ${period === 'ever' ? 'for ever' : `per ${period}`}${isOfAccount ? ' (all your keys)' : ''}`,
    resets: (when: string) => `resets ${when}`,
  },
} as const;
