import type { HearthTopic } from './intent.ts';

/** Keys, accounts, plans, limits and usage. */
export const keyTopics: readonly HearthTopic[] = [
  {
    how: '(make|create|get|add|generate|issue) (a|another|a new|one more) (API key|key|api key|token)',
    questions: [
      '(where|how) do I get (a key|an API key|my API key)?',
      '(make|create) a (new |)key for alice.',
    ],
    answer: 'Run `hearth keys create --account NAME`. The key is shown once, so keep it.',
  },
  {
    how: '(list|see|show|view|look at) (all|my|the) (API keys|keys)',
    questions: [
      '(which|what) (API |)keys (are there|do I have|exist)?',
      'where can I see (my|all|the) keys?',
    ],
    answer: 'Run `hearth keys list`. It shows every key without its secret.',
  },
  {
    how: '(revoke|delete|remove|disable|block|kill) (a|an old|my|one) (API key|key)',
    questions: [
      '(somebody stole|someone has|I leaked|somebody knows) my (API |)key. What (now|do I do|should I do)?',
      'my (API |)key (leaked|was stolen|is public). What (now|do I do|should I do)?',
    ],
    answer: 'Run `hearth keys revoke ID`. The key stops working from the next request on.',
  },
  {
    how: '(rotate|replace|exchange|renew|swap) (a|an old|my) (API key|key)',
    what: '(key rotation|rotating a key)',
    answer: 'Run `hearth keys rotate ID`. The new key takes over the rights and balances of the old one.',
  },
  {
    how: '(keep the old key (working|alive) for a while|rotate a key without (a break|downtime)|let (both|old and new) keys work for a time)',
    what: '(the overlap|--overlap|the overlap of a rotation)',
    answer: 'Run `hearth keys rotate ID --overlap 1h`. Then both keys work for an hour.',
  },
  {
    how: '(make|create|give|have) a key (that expires|with an end date|that ends|for 90 days|for a limited time)',
    questions: [
      '(do|can|when do|will) (API |)keys expire?',
      'how (long|many days) (is|does) a key (valid|last|work)?',
    ],
    answer: 'Keys never expire unless you say so: `hearth keys create --account NAME --expires 90d`.',
  },
  {
    how: '(limit|restrict|tie|bind) a key to (some|certain|a few|two) models',
    questions: ['can a key (use|have) only (some|certain|one of the) models?'],
    answer: 'Add `--models a,b` to `hearth keys create`. The key may then use only these models.',
  },
  {
    how: '(make|create|get) (an admin|an administrator|an admin API) key',
    what: '(an admin key|the admin key|an hk-admin key)',
    answer: 'Run `hearth keys create --account local --admin`. An admin key opens `/admin/v1` and not `/v1`.',
  },
  {
    how: '(see|show|find|recover|read) (a|my) (lost|forgotten) key',
    questions: [
      'I (lost|forgot|cannot find) my (API |)key. What (now|can I do|do I do)?',
      'can I see (a|my) key (again|once more|a second time)?',
    ],
    answer: 'A key is shown only once. Make a new one with `hearth keys create --account NAME`.',
  },
  {
    questions: [
      'how (are (|the |my |API )keys (stored|kept|saved)|does hearth (store|keep|save) (|API )keys)?',
      'are (API |)keys (stored|kept|saved) (safely|in plain text|as text)?',
      'where are (the |)keys (stored|kept|saved)?',
    ],
    answer: 'hearth keeps only the SHA-256 hash of each key in its database, and no key appears in a log.',
  },
  {
    what: '(the first key|the key printed at the first start)',
    questions: [
      'where (is|do I find|do I see) (my|the) first (API |)key?',
      'does hearth (print|show|make|give me) a key (at the|on the) first start?',
    ],
    answer: 'On its first start hearth makes an account `local` and prints one key, once.',
  },
  {
    how: '(set|choose|bring|fix) (the first key|my own key|the key) (myself|through the environment|in a container)',
    what: '(HEARTH_API_KEY|the HEARTH_API_KEY variable)',
    answer: 'Set `HEARTH_API_KEY`. On an empty database this value becomes the first key.',
  },
  {
    how: '(create|add|make|open|set up) (an|another|a new|one more) (account|user)',
    questions: ['(add|create) (an account|a user) (for|named|called) (bob|alice|my team).'],
    answer: 'Run `hearth accounts create NAME --plan standard`. Without `--plan` it starts on trial.',
  },
  {
    how: '(list|see|show|view) (all|the|my) (accounts|users)',
    questions: ['(which|what) (accounts|users) (are there|exist|do I have)?'],
    answer: 'Run `hearth accounts list`.',
  },
  {
    how: '(change|set|switch) the plan of (an|my) account',
    questions: ['how do I (put|move) an account (on|to) (another|a different|a better) plan?'],
    answer: 'Run `hearth accounts set-plan NAME PLAN`.',
  },
  {
    what: '(an account|accounts)',
    questions: ['(what are|why are there) accounts?', 'who (owns|has) (a key|the keys)?'],
    answer: 'An account owns API keys and is on a plan. Make one with `hearth accounts create NAME`.',
  },
  {
    what: '(a plan|plans)',
    questions: ['(which|what) plans (are there|exist|does hearth have|can I choose)?', 'name the plans.'],
    answer:
      'A plan says how much a key may use. There are trial, reduced, standard and unlimited, and your own.',
  },
  {
    what: '(the trial|the trial plan|a trial)',
    questions: [
      '(how long is|how long does|when does) the trial (last|end|)?',
      'what (happens|comes) after the trial?',
    ],
    answer: 'A new account is on `trial` for 30 days, and then on `reduced`.',
  },
  {
    what: '(the reduced plan|reduced)',
    answer: 'The plan `reduced` follows the trial. It allows 10 requests a minute for each key and model.',
  },
  {
    what: '(the standard plan|standard)',
    answer: 'The plan `standard` allows 600 requests a minute for each key and model.',
  },
  {
    what: '(the unlimited plan|unlimited)',
    how: '(have no limits|turn off the limits|switch limits off|remove all limits)',
    answer: 'The plan `unlimited` has no limits: `hearth accounts set-plan NAME unlimited`.',
  },
  {
    how: '(make|define|write|add|create) (my own|a new|another|a custom) plan',
    questions: ['where (are|do I write|do I define) (plans|my own plan|the plans)?'],
    answer:
      'Write it under `plans:` in `hearth.yaml`, with its limits, and restart hearth or send it SIGHUP.',
  },
  {
    how: '(set|change|raise|lower) (a|the) (limit|rate limit|limits|quota)',
    questions: ['where (are|do I set|do I change) (the|rate) limits?'],
    answer:
      'Limits belong to plans: write them under `plans:` in `hearth.yaml`, such as `requests: { minute: 60 }`.',
  },
  {
    questions: [
      'what (can be limited|does a plan limit|is limited|do limits count)?',
      '(which|what) limits (are there|exist|can a plan have|does hearth have)?',
      '(over|for) which times do limits (go|hold|count)?',
    ],
    answer: 'Requests, input tokens, output tokens and audio seconds, per minute, hour, day and 30 days.',
  },
  {
    questions: [
      '(when|how) (are|do) (limits|allowances|my limits) (reset|refilled|refill|come back)?',
      'how does the refill work?',
      'when do I get (new|more) (tokens|requests|allowance)?',
    ],
    what: '(the refill|an allowance)',
    answer: 'Allowances are full at first and refill all the time, little by little.',
  },
  {
    what: '(a 429|error 429|a 429 error|status 429|rate_limit_exceeded)',
    questions: [
      'why (do I get|did I get|is there|does hearth send) (a 429|error 429|status 429|rate_limit_exceeded|too many requests)?',
      'what does (429|a 429|error 429|status 429|too many requests|rate_limit_exceeded) mean?',
      'hearth (says|answers|returned|gives me) 429. Why?',
    ],
    answer: 'A 429 means that your allowance is used up. Wait as many seconds as `Retry-After` says.',
  },
  {
    what: '(Retry-After|the Retry-After header|retry-after)',
    questions: [
      'what does (Retry-After|the Retry-After header) (mean|say|tell me)?',
      'how long (must|should|do) I wait after a 429?',
    ],
    answer: '`Retry-After` is the number of whole seconds after which your request is let through.',
  },
  {
    what: '(the x-ratelimit headers|x-ratelimit-remaining-requests|the rate limit headers)',
    questions: ['how (do|can) I see (what is left|how much is left|my remaining allowance)?'],
    answer:
      'Metered answers carry `x-ratelimit-*` headers: the limit, what remains, and the time until it is full.',
  },
  {
    how: '(see|show|check|look up|measure) (the|my|our) (usage|token usage|use)',
    questions: [
      'how (much|many tokens) (was|were|did we|did I) (used|use)?',
      'who used how (much|many tokens)?',
      'where do I see (the usage|what was used)?',
    ],
    answer: 'Run `hearth usage`. Add `--since 30d` for a longer time.',
  },
  ...['day', 'account', 'model', 'key'].map((unit) => ({
    how: `(see|show|get) (the usage|usage|what was used) (per|by|for each|of each) ${unit}`,
    questions: [`can usage be (grouped|split|shown) by ${unit}?`],
    answer: `Run \`hearth usage --by ${unit}\`.`,
  })),
  {
    what: '(a 401|error 401|status 401|a 401 error|invalid_api_key)',
    questions: [
      'why (do I get|did I get|is there) (a 401|error 401|status 401|invalid_api_key)?',
      'what does (401|a 401|error 401|invalid_api_key|missing_api_key) mean?',
    ],
    answer:
      'A 401 means that the key is missing, wrong, revoked or expired. Send `Authorization: Bearer KEY`.',
  },
  {
    what: '(a 403|error 403|status 403|insufficient_permissions)',
    questions: ['why (do I get|did I get) (a 403|error 403)?', 'what does (403|a 403|error 403) mean?'],
    answer:
      'A 403 means that this key may not do that. `/admin/v1` needs an admin key, `/v1` an ordinary one.',
  },
];
