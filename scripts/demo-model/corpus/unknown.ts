import type { Choices } from './choices.ts';
import { madeUpName, personName } from './data/names.ts';
import { ask, type Exchange, type Intent } from './wording.ts';

/** What it says where it has no answer. */
export const unknownAnswers = {
  news: 'I do not know: I have no news and no network.',
  advice: 'I do not know: I am too small a model to give advice.',
  private: 'I do not know: I cannot look into private matters.',
  long: 'I do not know how: that is too much for a tiny model.',
  hard: 'I do not know: I am a tiny model and know little.',
} as const;

/** A question beyond what the model can know. */
export function writeUnknownExchange(choices: Choices): Exchange {
  const write = choices.weighted([
    [madeUpPlace, 26],
    [person, 20],
    [news, 16],
    [hard, 14],
    [advice, 8],
    [long, 9],
    [privateMatter, 7],
  ]);
  return ask(choices, write(choices), { keepCase: true });
}

function madeUpPlace(choices: Choices): Intent {
  const name = madeUpName(choices);
  const place = choices.chance(0.15) ? name.toLowerCase() : name;
  if (choices.chance(0.65))
    return {
      questions: [
        `(what is|what's|tell me|do you know|can you tell me|name) the capital of ${place}?`,
        `(what is|what's|tell me) the capital (of|city of) ${place}?`,
        `(|the) capital of ${place}?`,
        `(what|which) city is the capital of ${place}?`,
      ],
      answer: `I do not know the capital of ${place}.`,
    };
  return {
    questions: [
      `where is ${place}?`,
      `(which|what) continent is ${place} (in|on)?`,
      `(what is|what's) ${place}?`,
      `(tell me about|what do you know about|describe|explain) ${place}.`,
      `how many people live in ${place}?`,
    ],
    answer: `I do not know ${place}.`,
  };
}

function person(choices: Choices): Intent {
  const name = `${personName(choices)} ${madeUpName(choices)}`;
  return {
    questions: [
      `who (is|was) ${name}?`,
      `(do you know|have you heard of|tell me about|who exactly is) ${name}?`,
      `(when|where) was ${name} born?`,
      `how old is ${name}?`,
      `what (did ${name} do|is ${name} known for|does ${name} do)?`,
      `(what book|which book|what song|what film) (did ${name} write|is by ${name}|made ${name} famous)?`,
      `where does ${name} live?`,
    ],
    answer: `I do not know ${name}.`,
  };
}

function news(): Intent {
  const when =
    '(yesterday|today|last night|last week|this week|this morning|last month|this year|right now|at the moment)';
  return {
    questions: [
      `who won the (election|match|game|final|race|cup|tournament|world cup|football game|lottery) ${when}?`,
      `what (happened|was in the news|is new|did the president say) ${when}?`,
      `(what is|what's|tell me) the (latest|newest) (news|score|gossip|headline) (|from Paris|about the war|in sports)?`,
      `(what is|what's) the (price of (gold|oil|bitcoin|bread)|exchange rate|stock price) ${when}?`,
      `(what is|what's|how is) the weather (like|) ${when} (|in Rome|in London|here)?`,
      `will it (rain|snow|be sunny|be hot) (tomorrow|today|next week|on Sunday)?`,
      `(what time is it|what is the time|what is the date today|what day is it today|which year is it)?`,
      `who is the (president|prime minister|king|champion|mayor) ${when}?`,
      `(which|what) (films|songs|books|phones) (are popular|are new|came out) ${when}?`,
      `who will win the (election|match|race|cup|next world cup)?`,
      `(what are the lottery numbers|what will happen|who will be president) (tomorrow|next year|next week)?`,
    ],
    answer: unknownAnswers.news,
  };
}

function advice(): Intent {
  return {
    questions: [
      'should I (buy|sell|keep) (shares|stocks|gold|bitcoin|a house|my car|Apple stock|bonds)(| now| today)?',
      '(which|what) (stock|share|fund|coin|crypto) should I buy(| now)?',
      '(which|what) medicine should I take (|for a headache|for my back|for a cold)?',
      'should I (marry|leave|move|study law|quit my job|change my job|sue my neighbour|divorce|have children)?',
      'is (bitcoin|gold|this share|property|that fund) a good (investment|buy)?',
      'how (can|do) I (get rich|invest my money|cure my illness|win in court|save taxes)?',
      'who should I vote for?',
    ],
    answer: unknownAnswers.advice,
  };
}

const topics =
  '(the French Revolution|climate change|the Roman Empire|love|space travel|the history of music|philosophy|economics|' +
  'a detective|a dragon|the sea|modern art|the war|democracy|artificial intelligence|the middle ages|dinosaurs)';

function long(): Intent {
  return {
    questions: [
      `write (a long essay|an essay|a 2000 word essay|a report|a speech|an article|a long text|a paper) (about|on) ${topics}.`,
      `write (a story|a novel|a poem|a song|a book|a screenplay|a play) about ${topics}.`,
      'write (a program|code|a script|a function|an app|a website) (in Python|in Java|in C|for my phone|that sorts a list|for a game).',
      '(summarize|review|translate|correct) (this book|the Bible|this article|War and Peace|my thesis|this text).',
      'translate (the following|this|a letter|my text) (into|to) (Japanese|Chinese|Arabic|Latin|Greek|Russian).',
      '(plan|organize) (my wedding|my holiday|a trip to Asia|my week|my life|a party for fifty people).',
      '(prove|solve) (the Riemann hypothesis|this equation|this integral|a differential equation|this puzzle).',
    ],
    answer: unknownAnswers.long,
  };
}

function privateMatter(): Intent {
  return {
    questions: [
      '(what is|tell me|do you know) (my|my bank) (password|bank balance|phone number|address|PIN|account balance)?',
      "(what is|tell me) (my neighbour|my boss|my sister|my friend)'s (salary|secret|phone number|address|password)?",
      '(what did I eat|where was I|whom did I meet|what did I do) (yesterday|last night|last year|this morning)?',
      'where (are my keys|did I put my glasses|is my phone|is my wallet|is my wife|is my car)?',
      '(what am I thinking|what do I have in my hand|what am I wearing|what do I look like)?',
      'how much (money do I have|do I earn|does my boss earn|do I weigh)?',
    ],
    answer: unknownAnswers.private,
  };
}

function hard(): Intent {
  return {
    questions: [
      '(explain|describe|can you explain|tell me about) (quantum physics|general relativity|string theory|black holes|inflation|photosynthesis|calculus|the stock market|genetics|evolution) (|in detail|to me|briefly)?',
      'how (does|do) (a nuclear reactor|a jet engine|a vaccine|the immune system|a blockchain|an MRI|a transistor) work?',
      '(who won|what happened at|when was) the (battle of Cannae|world cup of 1954|Peace of Utrecht|siege of Acre|treaty of Trent)?',
      'what is the (population|area|currency|anthem|highest building|president) of (France|Peru|Kenya|Japan|Norway|Chile|India)?',
      '(what is the meaning of life|does God exist|is there life after death|what happens after death|why do we exist)?',
      '(what is|calculate) the (square root of 7381|cube root of 99|logarithm of 512|sine of 17|integral of x)?',
      'how (many people live|many dogs live|many cars are) in (London|Tokyo|Paris|the world|China|my street)?',
      'how (far|long) is (it|the way|the road) (from Paris to Rome|to the sun|to Mars|from Oslo to Madrid)?',
      'who (directed|starred in|composed|produced) (that film|The Long Road|the Ninth Symphony|Casablanca|Blue Night)?',
      '(how do I|how to) (repair a car|build a house|bake a cake|fix a computer|play the violin|make soap|brew beer)?',
      'why (is the sky blue|do cats purr|is the sea salty|do we dream|do birds migrate|is there war)?',
    ],
    answer: unknownAnswers.hard,
  };
}
