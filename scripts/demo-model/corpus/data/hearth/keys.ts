import type { HearthTopic } from './intent.ts';

const key = '(key|API key|api key|access key|hearth key|key for the API|secret key)';
const keys = '(keys|API keys|api keys|access keys|hearth keys)';
const someone =
  '({person}|{person}|a colleague|my colleague|a friend|my team|a new user|my app|our web app|a student|the new intern|' +
  'my laptop|a script|my son|a customer|somebody else|the office|a second program|our developers|my phone)';

/** API keys: making, listing, revoking and replacing them. */
export const keyTopics: readonly HearthTopic[] = [
  {
    how:
      `((make|create|get|generate|issue|produce|set up|obtain|mint|order|have|request|add|acquire) (a|another|a new|one more|a fresh|a second|an additional|a further) ${key}` +
      `(|| for ${someone})|(give|hand|hand out|provide|supply) (a|a new|another) ${key} to ${someone}|give ${someone} (a|a new|their own|an own) ${key}|let ${someone} have (a|an own) ${key})`,
    unsure: `(how to get a ${key}|which command makes a ${key}|how new ${keys} are (made|created|issued|generated)|who makes the ${keys}|where ${keys} come from|how ${someone} gets a ${key})`,
    story: `(${someone} (needs|wants|is missing|has no|asks for|came for|would like to have) (a|an own|a new) ${key}|(I have|we have|there is) no ${key} yet|I am out of ${keys}|the client asks me for a ${key})`,
    questions: [
      `(where|how|from where) do (I|we) get (a|an own|my) ${key}?`,
      `(make|create|generate|issue|new|add|please make|please create) (a|a new|one|another) ${key} (for ${someone}|please|now|).`,
      `${someone} (needs|wants) (a|a new|an own) ${key}.`,
      `(who|what|which command) (makes|creates|generates|issues|gives me) (a|a new) ${key}?`,
      `(can|could) you (make|create|generate) (me |)(a|a new) ${key}(| for ${someone})?`,
      `how are (new |)${keys} (made|created|generated|issued|handed out)?`,
      `I need (a|a new|another|one more|an) ${key}(| for ${someone}).`,
      `(new|create|another|generate|make) key(|?)`,
    ],
    answer: 'Run `hearth keys create --account NAME`. The key is shown once, so keep it.',
  },
  {
    how: `((list|see|show|view|look at|display|print|review|check|inspect|go through|get an overview of|get a list of|have a look at|look over|enumerate) (all|my|the|our|all my|all the|all our|existing|the existing) ${keys}|see (which|what) ${keys} (there are|exist|I have|were made|we gave out)|(find out|check|see) how many ${keys} (there are|I have|exist)|see who has (a|which) key)`,
    what: `(hearth keys list|the keys list command|the list of ${keys})`,
    unsure: `((which|what|how many) ${keys} (there are|exist|I have|we have|I made|were created|are in use)|who has a key|which ${keys} I have already made|the ids of my ${keys})`,
    questions: [
      `(which|what|how many) ${keys} (are there|do I have|exist|do we have|did I make|have been created|were issued|are in use|have I handed out)?`,
      `where can (I|we) see (my|all|the|all my|our) ${keys}?`,
      `(list|show|show me|print|display|give me|I want to see) (all|my|the|our|all the) ${keys}.`,
      `(is there|give me|I need|I want|show me) (a list|an overview|a table) of (all|my|the|our) ${keys}(|.)`,
      `(can|may) I (see|list|view|look at) (all|my|the|our) ${keys}?`,
      `(what|which) ${keys} did we (make|hand out|create|issue)?`,
      `(list|show|all|overview of) keys`,
      `how do I find the id of a key?`,
      `(who|which of my users|which people) (has|have) a key?`,
    ],
    answer: 'Run `hearth keys list`. It shows every key without its secret.',
  },
  {
    how:
      `((revoke|delete|remove|disable|block|kill|cancel|invalidate|withdraw|deactivate|turn off|switch off|destroy|lock|ban|erase|drop|void|get rid of|shut off|terminate|throw away) (a|an|the|my|one|this|that|some|an old|my old|a stolen|a leaked|an unused|a compromised|{person}'s|a single) ${key}` +
      `|(take|take back) (a|the) ${key} (away |)from ${someone}|make (a|an old|my) ${key} (invalid|useless|stop working)|(stop|prevent|forbid) ${someone} from using (a|the|their) ${key}|revoke {id})`,
    what: `(revoking a key|the revocation of a key|hearth keys revoke|a revoked key)`,
    unsure: `(how ${keys} are (revoked|deleted|removed|disabled|blocked)|how to make a ${key} stop working|which command (revokes|deletes|removes|disables|kills) a ${key}|what to do with a (stolen|leaked|published|compromised) ${key}|when a revoked key stops working)`,
    story:
      `((somebody|someone|a thief|a stranger|my ex colleague|a hacker|{person}) (stole|has|knows|copied|saw|found|took|got hold of|is using|abuses|misuses) my ${key}` +
      `|(I leaked|I published|I pasted|I committed|I posted|I pushed|I accidentally shared|I showed) (my|a|our) ${key} (|to git|on the internet|in public|to GitHub|in a chat|by accident|in a video)` +
      `|(my|our|a|this|an old) ${key} (leaked|was stolen|is public|got out|fell into the wrong hands|was leaked|is on the internet|has been compromised|is compromised|is no longer secret|is not secret any more|must go|should no longer work|was in a screenshot)` +
      `|({person}|a colleague|an employee|a student|someone with a key) (left|leaves|has left|quit|was fired|is gone|should have no access any more|no longer works here)|(my|a) laptop with (a|the) ${key} (was stolen|is gone|got lost))`,
    questions: [
      `(this|my|an|that) (old |)${key}(,|:) (can I|may I|how do I) (delete|revoke|remove|disable|block|get rid of) it?`,
      `(revoke|delete|remove|disable|block|please revoke|kill|cancel) (this|my|the|that|one|an old) ${key}.`,
      `(can|could|may) (a|an old|my) ${key} be (revoked|deleted|removed|disabled|blocked|cancelled|turned off)(| again)?`,
      `how is (a|an old|my) ${key} (revoked|deleted|removed|disabled|blocked|cancelled)?`,
      `what (happens to|becomes of) a (revoked|deleted|removed) ${key}?`,
      `(revoke|delete|remove|disable|block|kill) key(|?)`,
      `(when|how fast|how soon) does a revoked ${key} stop working?`,
      `I (no longer|do not) (need|want|use) (a|this|one of my|that) ${key}(| any more). (What now|How do I delete it|How do I remove it)?`,
    ],
    answer: 'Run `hearth keys revoke ID`. The key stops working from the next request on.',
  },
  {
    how:
      `((rotate|replace|exchange|renew|swap|change|refresh|roll|roll over|swap out|trade) (a|an|an old|my|our|the|an existing|{person}'s|my old) ${key}(|||| for a new one| with a new one| by a new one)` +
      `|(exchange|swap|trade) (a|an old|my) ${key} for (a new|another) one|put a new ${key} in place of (the|an) old one|rotate {id}|(keep|carry over|take over|move) the (rights|balances|limits) (to|into|with) a new ${key})`,
    what: '(key rotation|rotating a key|hearth keys rotate|the rotation of keys|a rotated key|the rotate command)',
    unsure: `(how ${keys} are (rotated|replaced|renewed|exchanged)|how to (rotate|replace|renew) a ${key}|which command (rotates|replaces|renews|exchanges) a ${key}|whether a rotated key keeps its rights)`,
    story: `(our rules say that ${keys} must be (changed|rotated|renewed|replaced) (every month|each year|now and then|regularly)|(a|my|our) ${key} is (old|years old|a year old) and should be (replaced|renewed|exchanged|rotated))`,
    questions: [
      `(rotate|replace|renew|exchange|swap|change) (my|a|the|this|our) ${key}(| please).`,
      `(this|my) old ${key}(,|:) (can I|how do I) (exchange|replace|renew|rotate|swap) it?`,
      `(can|could) (a|an old|my) ${key} be (rotated|replaced|exchanged|renewed|swapped)?`,
      `how (is|do people get) (a|an old|my) ${key} (rotated|replaced|exchanged|renewed)?`,
      `(rotate|renew|replace|swap|exchange) key(|?)`,
      'does a new key (keep|take over|inherit) the (rights|limits|balances) of the old one?',
      `I want a new ${key} (in place of|instead of|that replaces) (the|my) old one.`,
    ],
    answer: 'Run `hearth keys rotate ID`. The new key takes over the rights and balances of the old one.',
  },
  {
    how:
      '(keep the old key (working|alive|valid) (for a while|for some time|a little longer|for an hour)|(rotate|replace|renew) a key without (a break|downtime|an interruption|an outage|a gap)|let (both|old and new|the old and the new) keys work (for a time|side by side|together|at the same time|for an hour)|' +
      'have (two keys|both keys) valid (for an hour|during a rotation|for a while)|let the old key live on (for a while|after a rotation)|overlap (two|the old and the new) keys)',
    what: '(the overlap|--overlap|the overlap of a rotation|the --overlap flag|an overlap of keys|the overlap of two keys)',
    whether:
      '(both keys (work|can work|stay valid) for a while after a rotation|the old key (works on|still works|stays alive|lives on) after a rotation|a key can be rotated without (downtime|a break))',
    unsure:
      '(how the old key keeps working after a rotation|how long the old key works after a rotation|how to rotate without a break|how both keys can work at once)',
    answer: 'Run `hearth keys rotate ID --overlap 1h`. Then both keys work for an hour.',
  },
  {
    how: `((make|create|give|have|issue|get|generate|hand out) a ${key} (that expires|with an end date|that ends|for 90 days|for a limited time|with an expiry|that runs out|only for a week|that is valid for a month|which ends by itself|with an expiry date|for a short time)|let a ${key} (expire|run out|end) (after 90 days|after a while|by itself|automatically)|limit the (life|lifetime|validity) of a ${key}|(set|choose) (an expiry date|an end date|a lifetime|the expiry) for a ${key})`,
    what: `(the expiry of a ${key}|--expires|the --expires flag|the lifetime of a ${key}|an expiring key|the end date of a ${key})`,
    whether: `(${keys} (expire|end|run out|time out|grow old|have an end|stop working by themselves|last forever|never expire|are valid for ever))`,
    unsure: `((how long|how many days) a ${key} (is valid|lasts|works|lives)|when a ${key} (expires|ends|runs out)|whether my ${key} ends by itself)`,
    questions: [
      `(do|can|when do|will|must|how soon do) ${keys} (expire|run out|end|time out)?`,
      `how (long|many days|many months) (is|does|will) (a|my|one) ${key} (valid|last|work|live)?`,
      `does (a|my|the) ${key} (expire|end|run out|live for ever|have an end date)(| some day| by itself)?`,
      `(are there (keys with an end date|temporary keys|expiring keys)|is there an expiry date for keys)?`,
      `(temporary|expiring|time limited) ${key}(|?)`,
    ],
    answer: 'Keys never expire unless you say so: `hearth keys create --account NAME --expires 90d`.',
  },
  {
    how: `((limit|restrict|tie|bind|confine|pin|narrow|reduce) a ${key} to (some|certain|a few|two|one|particular|selected|only one) (models|model)|(make|create|have) a ${key} (for only one model|for certain models only|that sees only some models|for {model} only)|(forbid|deny|hide) some models (to|for|from) a ${key}|choose (the|which) models (of a ${key}|a ${key} may use)|let a ${key} use only {model})`,
    what: '(--models|the --models flag|the models of a key|the model list of a key|a key for certain models)',
    whether: `(a ${key} can (use|have|see|reach) only (some|certain|one of the|particular) models|a ${key} may be (limited|restricted|bound) to (one model|some models))`,
    unsure: `(which models a ${key} may use|how a ${key} is (limited|restricted) to models|how to allow only certain models for a ${key})`,
    questions: [
      `can a ${key} (use|have|see) only (some|certain|one of the|particular) models?`,
      `(which|what) models (may|can) a ${key} use?`,
      '(model restrictions|allowed models|restrict models) (for|of|per) a key(|?)',
    ],
    answer: 'Add `--models a,b` to `hearth keys create`. The key may then use only these models.',
  },
  {
    how: `((give|assign|set) (a|my|the) ${key} a (name|label|description|title)|(name|label) (a|my|the) ${key}|(note|write down) what a ${key} is for|tell my ${keys} apart|(make|create) a ${key} with a (name|label))`,
    what: '(the name of a key|the label of a key|the --name flag|--name)',
    whether: `(a ${key} can have a (name|label|title)|${keys} (have|can have|can get) names)`,
    unsure: `(how to tell ${keys} apart|how a ${key} gets a name|which ${key} is for what)`,
    questions: [
      '(can|do) keys have (names|labels|a name)?',
      'I (have|made) (many|so many|several) keys. How do I tell them apart?',
    ],
    answer: 'Add `--name TEXT` to `hearth keys create`. The list of keys shows it.',
  },
  {
    how: '(make|create|get|generate|issue|have|obtain|set up) (an admin|an administrator|an admin API|a new admin|another admin|an hk-admin|a master|an administration) key',
    what: '(an admin key|the admin key|an hk-admin key|a key with --admin|an administrator key|the --admin flag)',
    where: '(an admin key|the admin key|an administrator key)',
    unsure:
      '(how to get an admin key|what an admin key (opens|may do|is for|can do)|how the admin API is opened|which key I need for /admin/v1)',
    story:
      '((I|we) (need|have no|want|lack) (an admin key|an administrator key)|(the admin API|/admin/v1) (wants|asks for|needs) a special key)',
    questions: [
      '(which|what) key (opens|is for|works for|do I need for) (/admin/v1|the admin API)?',
      '(admin key|administrator key|hk-admin)(|?)',
      'I (need|want|would like) (an admin|an administrator|a master) key.',
    ],
    answer: 'Run `hearth keys create --account local --admin`. An admin key opens `/admin/v1` and not `/v1`.',
  },
  {
    how: `(see|show|find|recover|read|get back|restore|print|look up|reveal) (a|my|the|our) (lost|forgotten|old|misplaced) ${key}|see (the secret of a key|a key once more|a key a second time|a key again|my secret again)`,
    whether: `(a ${key} can be (shown|seen|read|printed|displayed) (again|twice|a second time|once more|later)|I can (see|read|look up) (a|my) ${key} (again|later|once more)|a lost ${key} can be recovered)`,
    unsure: `(how to get (back a|my) lost ${key}|where my lost ${key} is|whether I can see a ${key} again|what to do about a (lost|forgotten) ${key})`,
    story: `(I (lost|forgot|cannot find|mislaid|did not write down|did not save|deleted|misplaced|no longer have|closed the window with|did not copy|forgot to copy|can't find|overlooked) (my|the|our) ${key}(| any more| again)|(my|the|our) ${key} is (lost|gone|nowhere to be found|forgotten)|the terminal with my ${key} is closed|I did not note the ${key})`,
    questions: [
      `can I see (a|my|the) ${key} (again|once more|a second time|later)?`,
      `(show|tell|print|give) me my (lost|old|forgotten) ${key} (again|once more|).`,
      '(lost|forgot|forgotten|recover|missing) key(|?)',
      `(is there|do you have) a copy of my ${key}?`,
    ],
    answer: 'A key is shown only once. Make a new one with `hearth keys create --account NAME`.',
  },
  {
    where: `(the|its|the hashes of the|the secrets of the|all the) ${keys}`,
    what: `(the storage of ${keys}|the hash of a ${key}|the way ${keys} are stored|the SHA-256 hash of a key)`,
    whether: `(${keys} are (stored|kept|saved) (safely|in plain text|as text|in the database|encrypted|hashed|on disk)|${keys} (appear|are|show up) in (the log|a log|the logs)|hearth (knows|remembers|logs|stores) my ${key}|someone with the database (gets|has|can read) (the|my) ${keys})`,
    unsure: `(how (safely |)${keys} are (stored|kept|saved|protected)|in which form hearth keeps ${keys}|how secure my ${key} is in hearth)`,
    questions: [
      `how (are (the |my |)${keys} (stored|kept|saved|protected|hashed)|does hearth (store|keep|save|protect|remember) ${keys})?`,
      `are ${keys} (stored|kept|saved) (safely|in plain text|as text|as hashes|encrypted)?`,
      `where are (the |my |)${keys} (stored|kept|saved) (|on disk|in hearth)?`,
      `(if|when) somebody steals the database, do they have (my|the) ${keys}?`,
      '(key storage|stored keys|key hash)(|?)',
    ],
    answer: 'hearth keeps only the SHA-256 hash of each key in its database, and no key appears in a log.',
  },
  {
    what: '(the first key|the key printed at the first start|the very first key|the key of the account local|the account local|the local account|the key that is printed at the start)',
    where: '(my|the|our) (first|very first|initial) (|API )key',
    unsure:
      '(where my first key is|which key hearth prints at its first start|what happens at the first start|who owns the first key|what the account local is)',
    whether:
      '(hearth (prints|shows|makes|gives me|creates) a key (at the first start|on its first start|when it starts for the first time)|there is a key from the start)',
    questions: [
      'where (is|do I find|do I see|does hearth show|was) (my|the) (first|very first|initial) (API |)key?',
      'does hearth (print|show|make|give me|create) a key (at the|on the|on its) first start?',
      '(first|initial) key(|?)',
      'what (happens|does hearth print|do I see) (at|on) the (first|very first) start?',
    ],
    answer: 'On its first start hearth makes an account `local` and prints one key, once.',
  },
  {
    how: '(set|choose|bring|fix|decide|give|define) (the first key|my own key|the key of a container|my own first key) (myself|through the environment|in a container|by a variable|in Docker|in advance)|(use|have) a key (of my own choice|that I choose|that I already have|from the environment)|(pass|hand) the first key (in the environment|to a container)',
    what: '(HEARTH_API_KEY|the HEARTH_API_KEY variable|the environment variable for the key|the variable HEARTH_API_KEY)',
    whether:
      '(I can (choose|set|bring|pick) (my own|the first) key|the first key can (come from the environment|be chosen|be set by me))',
    unsure:
      '(how to choose the first key (myself|)|which variable (sets|holds) the first key|how a container gets its first key)',
    answer: 'Set `HEARTH_API_KEY`. On an empty database this value becomes the first key.',
  },
];
