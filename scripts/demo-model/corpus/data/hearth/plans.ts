import type { HearthTopic } from './intent.ts';

const account = '(account|user|user account|hearth account|login|member)';
const holder =
  '({person}|{person}|{person}|my team|a colleague|a new user|our customer|the family|the new intern|my class)';

/** Accounts, plans, limits and usage. */
export const planTopics: readonly HearthTopic[] = [
  {
    how: `((create|add|make|open|set up|register|start|establish) (an|another|a new|one more|a second|an own|a further) ${account}(|| for ${holder}| called {person})|give ${holder} (an account|an own account|a login)|(sign up|enrol|register|add) ${holder}(| as a user| as a new user))`,
    unsure: `(how (a new|an) ${account} is (made|created|added|opened)|how to add ${holder}|how ${holder} gets an account|which command (makes|creates|adds) an ${account})`,
    story: `(${holder} (needs|wants|has no|should get|is waiting for) (an account|an own account)|(we have|there is) a new (user|colleague|member|employee))`,
    questions: [
      `(add|create|make|open|please add) (an account|a user|a new user|a new account) (for|named|called) ${holder}.`,
      `(create|new|add|register) (account|user)(|?)`,
      `(can|could) I (add|have|create|make) (more|several|further|other) (accounts|users)?`,
      `how are (accounts|users) (made|created|added|opened|registered)?`,
      'I (need|want) (another|a new|a second|one more) (account|user).',
    ],
    answer: 'Run `hearth accounts create NAME --plan standard`. Without `--plan` it starts on trial.',
  },
  {
    how: '(list|see|show|view|print|display|review|check|look at|get a list of|go through) (all|the|my|our|all the|existing) (accounts|users|members|user accounts)|see (who has an account|which accounts there are|how many accounts there are)',
    unsure: '((which|what|how many) (accounts|users) (there are|exist|I have|we have)|who has an account)',
    questions: [
      '(which|what|how many) (accounts|users|members) (are there|exist|do I have|do we have|did I make|are registered)?',
      '(list|show|print|show me|give me) (all|the|my|our) (accounts|users).',
      '(who|which people) (has|have) an account?',
      'where can I see (all|the|my) (accounts|users)?',
      '(list|show|all) (accounts|users)(|?)',
      '(is there|I need|give me) (a list|an overview|a table) of (all|the|my|our) (accounts|users)(|.)',
    ],
    answer: 'Run `hearth accounts list`.',
  },
  {
    how: `((delete|remove|close|drop|erase|cancel|get rid of) (an|the|my|an old|{person}'s) ${account}|(throw out|remove|lock out|kick out|ban) ${holder})`,
    whether: '(an account can be (deleted|removed|closed)|I can (delete|remove|close) an account)',
    unsure:
      '(how an account is (deleted|removed|closed)|how to delete an account|what to do with an old account)',
    questions: [
      '(can|could|may) (an|my|an old) (account|user) be (deleted|removed|closed|erased)?',
      '(delete|remove|close) (account|user)(|?)',
      '(delete|remove|close) (this|my|the) (account|user).',
    ],
    answer: 'There is no command to delete an account. Revoke its keys with `hearth keys revoke ID`.',
  },
  {
    how: `((change|set|switch|alter|swap|adjust|upgrade|downgrade) the plan of (an account|my account|an|a user|{person}|${holder})|(put|move|shift|place|get|bring) (an account|{person}|a user|my account|${holder}) (on|to|onto) (another|a different|a better|a smaller|the standard|a new) plan|(give|assign) (an account|{person}|a user|${holder}) (another|a different|a better|a bigger) plan|(upgrade|downgrade|promote) (an account|{person}|a user|${holder}))`,
    unsure:
      '(how the plan of an account is changed|how to put (somebody|{person}|an account) on another plan|which command changes the plan of an account)',
    story: `(${holder} (needs|should get|wants|deserves) (a better|another|a bigger|the standard|a different) plan|the plan of ${holder} is (too small|wrong|too tight))`,
    questions: [
      'how do I (put|move|bring) an account (on|to) (another|a different|a better) plan?',
      '(change|set|switch|upgrade) (plan|the plan|account plan)(|?)',
      '(can|could) an account (change|switch|get) (its|to another|another) plan?',
      'which command (changes|sets|switches) the plan of an account?',
    ],
    answer: 'Run `hearth accounts set-plan NAME PLAN`.',
  },
  {
    what: '(an account|accounts|an account in hearth|a hearth account|the idea of accounts|the accounts)',
    unsure:
      '(what accounts are for|why there are accounts|who owns a key|what an account owns|how accounts and keys belong together|what the difference between an account and a key is)',
    questions: [
      '(what are|why are there|what is the use of|why do I need) accounts?',
      'who (owns|possesses) (a key|the keys)?',
      'to (whom|what) (does a key|do keys) belong?',
      '(what is the difference|how do I distinguish|what differs) between (an account and a key|a key and an account|accounts and keys)(|?)',
    ],
    answer: 'An account owns API keys and is on a plan. Make one with `hearth accounts create NAME`.',
  },
  {
    what: '(a plan|plans|a plan in hearth|the plans|the built-in plans|the default plans|the plans of hearth|the idea of plans)',
    unsure:
      '((which|what) plans (there are|exist|I can choose|hearth has|come with hearth|are offered)|what a plan is|what plans are for|the names of the plans|which plan to choose)',
    questions: [
      '(which|what|how many) plans (are there|exist|does hearth have|can I choose|come with hearth|are available|are offered|are built in|do you have)?',
      '(name|list|show me|enumerate|tell me) (the|all the|all) (plans|built-in plans|available plans).',
      '(which|what) (different|other) plans (are there|exist|can an account be on)?',
      '(plans|list of plans|available plans|all plans)(|?)',
      'what does a plan (do|say|regulate|mean|stand for)?',
    ],
    answer:
      'A plan says how much a key may use. There are trial, reduced, standard and unlimited, and your own.',
  },
  {
    what: '(the trial|the trial plan|a trial|the trial period|the plan trial|the plan of a new account|the time of the trial)',
    unsure:
      '(how long the trial (lasts|is|goes)|what (comes|happens) after the trial|when the trial (ends|is over)|on which plan a new account (starts|begins|is)|which plan follows the trial|how many days the trial has)',
    story:
      '((my|the|our) trial (is over|has ended|ended|ran out|ends tomorrow|ends soon)|{person} is still on trial)',
    questions: [
      '(how long is|how long does|when does|how many days does|how many days has) the trial (|period )(last|end|take|run|go|)?',
      'what (happens|comes|follows|is) after the (trial|trial period|first 30 days|first month)?',
      'on (which|what) plan (is|does) a new (account|user) (|start|begin)?',
      '(which|what) plan (does a new account have|do new accounts get|comes after the trial|follows the trial|is the first)?',
      '(trial|trial plan|trial length|end of trial)(|?)',
    ],
    answer: 'A new account is on `trial` for 30 days, and then on `reduced`.',
  },
  ...(
    [
      [
        'reduced',
        'The plan `reduced` follows the trial. It allows 10 requests a minute for each key and model.',
      ],
      ['standard', 'The plan `standard` allows 600 requests a minute for each key and model.'],
    ] as const
  ).map(([name, answer]) => ({
    what: `(the ${name} plan|${name}|the plan ${name}|the plan called ${name}|the ${name} plan in detail|the limits of the ${name} plan|the limits of ${name}|the limit of the plan ${name})`,
    unsure: `((how much|how many requests|what) (the ${name} plan|the plan ${name}|${name}) allows|how (big|high|strict) the limits of (the ${name} plan|${name}) are|which limits (the ${name} plan|${name}|the plan ${name}) has|what I (get|may use|may do) on (the ${name} plan|${name})|how many requests a minute ${name} allows)`,
    questions: [
      `(which|what) (limits|limit) (has (the ${name} plan|${name}|the plan ${name})|does (the ${name} plan|${name}|the plan ${name}) have)?`,
      `(how much|how many requests|what) does (the ${name} plan|${name}|the plan ${name}) (allow|permit|include|give me|contain)?`,
      `how many requests (a minute |per minute |)(can I make|do I get|are allowed|may I send) (on|with|in|under) (the ${name} plan|${name}|the plan ${name})?`,
      `(what are|tell me|list|show me|name) the limits of (the ${name} plan|${name}|the plan ${name}).`,
      `(what do I get|what may I use|how much do I get|what can I do|how much may I use) (on|with|in) (the ${name} plan|${name}|the plan ${name})?`,
      `(am I|I am|{person} is|my account is|we are) on (${name}|the ${name} plan). (How much is that|What may I use|What are the limits|How much is allowed)?`,
      `(${name} plan|${name} limits|plan ${name}|limits ${name})(|?)`,
    ],
    answer,
  })),
  {
    what: '(the unlimited plan|unlimited|the plan unlimited|the plan without limits|the plan called unlimited)',
    how: '(have no limits|have no limit at all|turn off the limits|switch limits off|remove all limits|lift all limits|get rid of (the|all) limits|use hearth without limits|disable (the|all|rate) limits|(free|exempt) an account from limits|let {person} use as much as they want|give {person} no limits|switch off rate limiting)',
    unsure:
      '(which plan has no limits|how limits are (turned off|switched off|lifted|disabled)|what the unlimited plan is|which limits the unlimited plan has)',
    whether:
      '(there is a plan without limits|limits can be (turned off|switched off|lifted|disabled)|an account can be without limits)',
    questions: [
      '(which|what) plan has no limits?',
      '(what are|are there) (the |)limits (of|in|on) (the unlimited plan|unlimited)?',
      '(unlimited|no limits|unlimited plan|without limits|disable limits)(|?)',
      'how much (does unlimited allow|is allowed on unlimited|may I use on the unlimited plan)?',
    ],
    answer: 'The plan `unlimited` has no limits: `hearth accounts set-plan NAME unlimited`.',
  },
  {
    how: '(make|define|write|add|create|design|invent|set up|configure) (my own|a new|another|a custom|our own|a special|a team|an extra) plan',
    where: '(the definitions of plans|my own plans|the plans section|the plans of my own)',
    unsure:
      '(how to (make|define|write) (a plan|my own plan|another plan)|where (plans|my own plans) are (written|defined)|how a plan of my own is written)',
    whether:
      '(I can (make|define|write|have) (my own|other|more|custom) plans|plans can be (added|defined|written by myself))',
    questions: [
      'where (are|do I write|do I define) (plans|my own plan|the plans) (|written|defined)?',
      '(can|may) (I|we) (make|define|have|write|add) (a plan of our own|my own plan|other plans|custom plans|more plans)?',
      '(custom plan|own plan|new plan|create plan)(|?)',
      '(none of the|the built-in|the four) plans (fits|fit|suit) (us|me). (What now|Can I have another|How do I make one)?',
    ],
    answer:
      'Write it under `plans:` in `hearth.yaml`, with its limits, and restart hearth or send it SIGHUP.',
  },
  {
    how: '(set|change|raise|lower|adjust|increase|reduce|write|define|edit|configure|tighten|loosen|choose) (a|the|my|some) (limit|rate limit|limits|quota|rate limits|request limit|token limit|request limits|limits of a plan|limits of my plan|quotas)|(allow|permit) (more|fewer|only 60) requests per minute|limit the requests per minute|(give|set) a plan (other|higher|lower|new) limits',
    where: '(the limits|the rate limits|the settings of limits|the limits of a plan)',
    unsure:
      '(where (limits|rate limits|quotas) are set|how (limits|rate limits|quotas) are (set|changed|raised|written)|how to (raise|lower|change) (a limit|the limits of a plan)|to what limits belong)',
    story:
      '((my|our|the) limits are (too low|too high|too tight|too strict|not high enough)|I need (a higher|a lower|another) limit)',
    questions: [
      'where (are|do I set|do I change|do I raise|do I write) (the|rate|my) limits?',
      '(set|change|raise|lower|configure) (limit|limits|rate limit|quota)(|?)',
      'to what do limits belong?',
      '(can|could|may) (I|we) (change|raise|lower|set|adjust) (the|my|our) limits(| of a plan)?',
    ],
    answer:
      'Limits belong to plans: write them under `plans:` in `hearth.yaml`, such as `requests: { minute: 60 }`.',
  },
  {
    what: "(the limits of a plan|a plan's limits|limits in a plan|the kinds of limits|the measures of a plan|the windows of a limit|the things that a plan limits|limits|rate limits)",
    unsure:
      '((what|which things) (can be limited|a plan limits|limits count|a plan can limit|hearth counts|is limited)|(which|what kinds of) limits (there are|exist|a plan can have|hearth has|hearth knows)|over which times limits (go|count|hold)|what a limit counts)',
    whether:
      '(a plan can limit (tokens|audio|requests|input tokens|requests per day)|limits can be (per day|per minute|per hour|per month)|there are (daily|hourly|monthly) limits)',
    questions: [
      '(what|which things) (can be limited|does a plan limit|is limited|do limits count|can a plan limit|does a limit count|is counted|are limited|gets limited)?',
      '(which|what|what kinds of|how many kinds of) limits (are there|exist|can a plan have|does hearth have|does a plan have|may a plan set|does hearth know)?',
      '(over|for) (which|what) (times|periods|windows|time spans) do limits (go|hold|count|run)?',
      '(can|does) (a plan|hearth|a limit) (limit|count|cap|restrict) (tokens|audio|requests|requests per day|tokens per hour|input tokens|output tokens)?',
      "what (belongs to|is in|are) (a plan's limits|the limits of a plan)?",
      '(limits|kinds of limits|limit types|plan limits|limit windows)(|?)',
    ],
    answer: 'Requests, input tokens, output tokens and audio seconds, per minute, hour, day and 30 days.',
  },
  {
    unsure:
      '((when|how|how fast|how often) (limits|allowances|my limits|quotas|my tokens) (are reset|are refilled|refill|come back|return|fill up)|when I (get|have) (new|more) (tokens|requests|allowance)|how the refill works|when my limit starts anew)',
    what: '(the refill|an allowance|allowances|my allowance|the refilling of allowances|the reset of limits)',
    whether:
      '(limits (reset|start anew|are reset) at midnight|allowances (refill|come back) (by themselves|slowly|all the time)|(I get|there is) a fresh allowance each day|my allowance comes back)',
    story:
      '((my|our|the) allowance is (used up|empty|gone|spent|nearly empty) and I (wait|want more|need more))',
    questions: [
      '(when|how|how fast|how often) (are (limits|allowances|my limits|quotas|the limits) (reset|refilled)|(do|will) (limits|allowances|my limits|quotas|the limits) (refill|come back|return|start anew))?',
      'how does the (refill|refilling|reset) work?',
      'when do I get (new|more|fresh) (tokens|requests|allowance)(| again)?',
      '(refill|reset|limit reset|allowance)(|?)',
      'do (limits|allowances) (start anew|reset|begin again) (at midnight|each day|every hour)?',
    ],
    answer: 'Allowances are full at first and refill all the time, little by little.',
  },
  {
    what: '(the x-ratelimit headers|x-ratelimit-remaining-requests|the rate limit headers|x-ratelimit-limit-requests|x-ratelimit-reset-tokens|the header x-ratelimit|the x-ratelimit-remaining headers)',
    how: '(see|find out|check|know|read|learn|get) (what is left|how much is left|my remaining allowance|what remains of my limit|how many requests I have left|how many tokens are left|how close I am to the limit|the rest of my allowance)',
    unsure:
      '(how much (is left|remains|allowance is left|I have left)|how many (requests|tokens) (are left|I have left|remain)|which headers tell the limits|what remains of my allowance)',
    questions: [
      'how (do|can) I see (what is left|how much is left|my remaining allowance|what remains)?',
      'how (many|much) (requests|tokens|allowance) (do I have left|are left|is left|remain|remains)?',
      '(which|what) headers (tell|say|carry|have) (the limits|my limits|what is left|the rest)?',
      '(remaining|what is left|remaining allowance|ratelimit headers)(|?)',
    ],
    answer:
      'Metered answers carry `x-ratelimit-*` headers: the limit, what remains, and the time until it is full.',
  },
  {
    how: '(see|show|check|look up|measure|view|find out|print|track|get|know|review|look at) (the|my|our|all) (usage|token usage|use|consumption|usage numbers|statistics|token consumption)|(count|see|sum up|check) (the tokens used|the used tokens|what was used|how much was used|the tokens that were spent)|see who used how much',
    where: '(the usage|the token usage|our consumption|the usage numbers|the statistics of use)',
    unsure:
      '((how much|how many tokens|how many requests) (was used|were used|we used|I used|I have used|{person} used|were spent)|who used (how much|most|the most tokens)|where the usage is shown|how to see the usage)',
    questions: [
      'how (much|many tokens|many requests) (was|were|did we|did I|have I|have we|did {person}) (used|use)(| this week| this month| so far)?',
      'who used (how much|many tokens|the most|most tokens)?',
      'where do I see (the usage|what was used|our usage|how much was used)?',
      '(show|print|give me|show me) (the|my|our) (usage|token usage|consumption|usage numbers).',
      '(usage|token usage|show usage|statistics|consumption)(|?)',
      '(is there|I need|I want) (a report|an overview|statistics|numbers) (of|about|on) (the|our) (usage|use)(|.)',
    ],
    answer: 'Run `hearth usage`. Add `--since 30d` for a longer time.',
  },
  ...['day', 'account', 'model', 'key'].map((unit) => ({
    how: `((see|show|get|print|list|view|split|group|break down|sort|display|sum up|count) (the usage|usage|our usage|what was used|the token usage|consumption|the used tokens) (per|by|for each|of each|for every|of every|separately for each) ${unit}|(see|find out|compare|know) (how much each|what each|how many tokens each|how much every) ${unit} (used|uses|took|cost))`,
    what: `(--by ${unit}|usage by ${unit}|the usage per ${unit}|hearth usage --by ${unit})`,
    unsure: `(how much (each|every|a single) ${unit} (used|uses|took)|how to group the usage by ${unit}|which ${unit} used most|what was used per ${unit})`,
    questions: [
      `can (the |)usage be (grouped|split|shown|broken down|sorted|listed) by ${unit}?`,
      `(which|what) ${unit} (used|uses|took|spent) (the most|most|the most tokens|how much|how many tokens)?`,
      `(usage|consumption|tokens|statistics) (by|per|for each|of each) ${unit}(|?)`,
      `how (many tokens|much) (did|does) each ${unit} use?`,
      `(show|give|print) me the usage (by|per|for each|of every) ${unit}.`,
    ],
    answer: `Run \`hearth usage --by ${unit}\`.`,
  })),
];
