import { askFor, askWhether } from '../text/asking.ts';

/** The templates with "an" before this noun where it starts with a vowel. */
function withRightArticle(noun: string, templates: readonly string[]): string[] {
  if (!/^[aeio]/.test(noun)) return [...templates];
  return templates.map((template) =>
    template
      .replaceAll(`a ${noun}`, `an ${noun}`)
      .replaceAll(new RegExp(`\\(a\\|([a-z|]+)\\) (?=${noun})`, 'g'), '(an|$1) '),
  );
}

/** Templates for the opposite of a word. */
export function oppositeQuestions(word: string): string[] {
  const quoted = `(${word}|${word}|${word}|"${word}"|'${word}'|the word ${word}|the word "${word}")`;
  return [
    ...askFor(`the (opposite|opposite|opposite|contrary|reverse|antonym) of ${quoted}`),
    ...askFor(`the opposite of ${quoted}`),
    ...askFor(
      `(a word|the word) (that means the opposite of|opposite to|that is the opposite of|with the opposite meaning of|that is contrary to) ${quoted}`,
    ),
    ...askWhether(
      `(what the opposite of ${quoted} is|which word is the opposite of ${quoted}|what is the opposite of ${quoted}|how to say the opposite of ${quoted})`,
    ),
    `(which|what) word (means|is|expresses) the (opposite|contrary|reverse) of ${quoted}?`,
    `${quoted} is the (opposite|contrary|reverse) of (what|which word)?`,
    `the opposite of ${quoted} is (|called|what|...|which word)?`,
    `if it is not ${word}, (what is it|it is the opposite. What is that)?`,
    `(not ${word}, but what|${word} and its opposite|opposite word: ${word}|${word}, opposite|opposite ${word}|antonym of ${word}|antonym for ${word}|${word}, the other way round|${word} - opposite)?`,
    `(what|which word) would you (say|use|call it) for the opposite of ${quoted}?`,
    `(what|which word) is ${quoted} the opposite of?`,
    `to (which|what) word is ${quoted} the opposite?`,
    `(what|how) do you call the opposite of ${quoted}?`,
    `(I say ${word}, you say the opposite|say the opposite of ${quoted}|turn ${quoted} into its opposite|${quoted} has an opposite: which one|does ${quoted} have an opposite? Which one|what is as far as possible from ${word})?`,
  ];
}

/** Templates for the sound of an animal. */
export function soundQuestions(animal: string, animals: string): string[] {
  return withRightArticle(animal, [
    `(what|which|what kind of) (sound|noise) does (a|the) ${animal} make?`,
    `what does (a|the) ${animal} (say|do when it is loud)?`,
    `(what|which) (sound|noise|sounds|noises) (do ${animals} make|can ${animals} make|comes from a ${animal}|is made by a ${animal}|would a ${animal} make)?`,
    `(how does (a|the) ${animal} sound|what do ${animals} sound like|how do ${animals} sound|what does a ${animal} sound like|what do ${animals} say)?`,
    `(how|in what way) (do ${animals}|does a ${animal}) (make noise|call|talk|speak)?`,
    `(I hear a ${animal}. What does it do|we have a ${animal}. What sound does it make|what goes a ${animal})?`,
    ...askFor(`the (sound|noise|voice|call) of (a|the) ${animal}`),
    ...askWhether(`(what|which) (sound|noise) (a ${animal} makes|${animals} make|the ${animal} makes)`),
  ]);
}

/** Templates for the young of an animal. */
export function youngQuestions(animal: string, animals: string): string[] {
  return withRightArticle(animal, [
    `(what|how) is (a|the) (baby|young) ${animal} (called|named)?`,
    `what (do you call|do people call|do we call|is the name of|is the word for) (a|the) (baby|young|little|newborn) ${animal}?`,
    `(what's|what is) (the baby|the young|the child) of (a|the) ${animal} (called|)?`,
    `(a|the) (baby|young|newborn) ${animal} is (called|named) (what|how)?`,
    `(what|how) are (the babies|the young|baby ones|the children) of ${animals} called?`,
    `${animals} have young. (What are they called|How are they called|What is one called)?`,
    `when a ${animal} has a baby, what is (it|the baby) called?`,
    `(baby ${animal}|young ${animal}|baby of a ${animal}|${animal}, young one|${animal} baby)(? Name?|, what is it called?|, name?|: which word?)`,
    ...askFor(`the (name|word|term) (of|for) a (baby|young) ${animal}`),
    ...askWhether(`(what|how) a (baby|young) ${animal} is called`),
  ]);
}

/** Templates for the number of legs of an animal. */
export function legQuestions(animal: string, animals: string): string[] {
  return withRightArticle(animal, [
    `how many legs does (a|the|one|any) ${animal} (have|have got|walk on|stand on)?`,
    `how many legs (do ${animals} have|has a ${animal}|has the ${animal}|has a ${animal} got|do ${animals} walk on|are there on a ${animal}|would you count on a ${animal}|can one count on a ${animal}|belong to a ${animal})?`,
    `a ${animal} has how many legs?`,
    `(on how many legs does a ${animal} (walk|stand)|with how many legs is a ${animal} born|what number of legs does a ${animal} have)?`,
    `(legs of a ${animal}|${animal} legs|${animal}, legs|legs ${animal})(: how many?|, number?| count?)`,
    `(I saw|I drew|we have|there is) a ${animal}. How many legs (does it have|has it|are there)?`,
    `do ${animals} have legs? (How many?|If so, how many?)`,
    ...askFor(`the number of legs (of|on) (a|the|one) ${animal}`),
    ...askWhether(
      `how many legs (a ${animal} has|${animals} have|the ${animal} has|there are on a ${animal})`,
    ),
  ]);
}

/** Templates for the chemical symbol of a substance. */
export function symbolQuestions(substance: string): string[] {
  return [
    ...askFor(
      `the (chemical symbol|symbol|element symbol|chemical sign|chemical abbreviation) (of|for) ${substance}`,
    ),
    ...askFor(`the chemical symbol (of|for) ${substance}`),
    `(which|what) (symbol|letters|chemical symbol|abbreviation|sign) (does ${substance} have|stands for ${substance}|stand for ${substance} in chemistry|is used for ${substance}|do chemists use for ${substance}|do chemists write for ${substance}|belongs to ${substance}|has ${substance})?`,
    `${substance} has a (chemical symbol|symbol). (Which one|What is it|Which|Which is it|What)?`,
    `(how|with which letters|with which symbol) (is ${substance} (written|abbreviated|shown)|do chemists (write|abbreviate) ${substance}|do you (write|abbreviate) ${substance}) (in chemistry|in the periodic table|as a symbol|in a formula)?`,
    `in (the periodic table|chemistry|a formula), (what|which) (is the symbol (for|of) ${substance}|symbol stands for ${substance}|letters stand for ${substance}|symbol does ${substance} have)?`,
    `(chemical symbol|symbol|element symbol) (of|for|) ${substance}(?|)`,
    `${substance}(: chemical symbol?|, chemical symbol?| symbol?|: its symbol?|, symbol|: which symbol in the periodic table?|: what is its chemical symbol?)`,
    `the symbol (of|for) ${substance} is (what|which|...)?`,
    `(about|as for|concerning) ${substance}: (which|what) is its chemical symbol?`,
    ...askWhether(
      `(what the chemical symbol of ${substance} is|which symbol ${substance} has|which chemical symbol ${substance} has|how ${substance} is written in the periodic table|which letters stand for ${substance})`,
    ),
  ];
}

/** Templates for what a thing, with its article, is. */
export function meaningQuestions(thing: string): string[] {
  const bare = thing.replace(/^an? /, '');
  return [
    `(what is|what's|what exactly is|so what is|what do you mean by) ${thing}?`,
    `(define|explain|describe) (${thing}|the word ${bare}|the word "${bare}") (|to me|for me|briefly|please).`,
    `(explain to me|tell me|can you explain|can you tell me|could you tell me|do you know|I want to know|I would like to know|I wonder|please explain|I don't know|I forgot|my child asks) what ${thing} is(?|.)`,
    `what (does the word|does|does the term) (${bare}|"${bare}") (mean|stand for|describe)?`,
    `(give me a definition|give the meaning|a definition|the meaning|definition|meaning|I need a definition|give me the definition|what is the definition|what is the meaning|what's the meaning) of (${bare}|${thing}|the word ${bare}|"${bare}").`,
    `(how would you explain|how would you define|how do you define|how would you describe) ${thing}?`,
    `(what is meant by|what do people mean by|what is understood by|what do we mean by) (${thing}|${bare}|the word ${bare})?`,
    `${bare}(: what is that?|, what is that?|: meaning?|, what does it mean?|: definition?| means what?|? What is that?)`,
    `(I read|I heard|I came across|I do not understand) the word (${bare}|"${bare}"). (What does it mean|What is that|What does that mean|Can you explain it)?`,
    `what (kind of thing|sort of thing) is ${thing}?`,
    ...askWhether(`what (${bare} means|${thing} is|is meant by ${bare}|the word ${bare} means)`),
  ];
}

/** Templates for who a person is. */
export function personQuestions(name: string): string[] {
  return [
    `who (is|was|exactly was|on earth was) ${name}?`,
    `(do you know|have you heard of|have you ever heard of|ever heard of|what do you know about|tell me about|tell me something about|describe|can you tell me about|what can you say about) ${name}?`,
    `(do you know|can you tell me|I wonder|tell me|I forgot|explain|could you tell me|I want to know) who ${name} (is|was)(?|.)`,
    `(what did ${name} do|what is ${name} known for|what is ${name} famous for|what was ${name}|why is ${name} famous|why do people know ${name}|for what is ${name} known|what made ${name} famous)?`,
    `${name}(: who is that?|, who is that?|: who was that?|? Who is that?| was who?| is who?)`,
    `(I read about|I heard of|somebody mentioned|my teacher spoke of|there is a book about) ${name}. Who (is|was) (that|this)?`,
    `(the name|a person called|somebody called|someone named) ${name}(: who is it?|, who is that?|: do you know them?)`,
  ];
}
