import { askFor, askWhether } from '../text/asking.ts';

/** Templates that want the letters of the word. */
export function spellQuestions(word: string): string[] {
  return [
    `how (do you|do I|would you|can I|does one|do people|do we|should I|must I|could I) (spell|spell|write) ${word} (|||correctly|properly|right|without mistakes)?`,
    `how (do you|do I|would you|does one) spell ${word}?`,
    `how is ${word} (spelled|spelt|written) (||correctly|properly|in English)?`,
    `(spell|please spell|can you spell|could you spell|spell out|please spell out|would you spell|will you spell|now spell|try to spell|help me spell|help me to spell|show me how to spell|I want you to spell|I need you to spell|I need help to spell|teach me how to spell|go ahead and spell) ${word} (||for me|, please).`,
    `(spell|please spell|can you spell|could you spell) ${word} (|for me).`,
    `(I forgot|I don't know|I do not know|I never know|I can't remember|I always forget|I am not sure|my son does not know|my daughter asks|I have forgotten|nobody could tell me|I am unsure|I wonder|I want to learn|I'd like to know|we argue about) how to (spell|spell|write) ${word}(.||. Can you help?|. Please help.|, can you spell it?|. Do you know it?)`,
    `(letter by letter|one letter at a time|in single letters|spelled out|as single letters)(, please|): ${word}(|.)`,
    `${word}(, | )(letter by letter|one letter at a time|in single letters|spelled out|as single letters|with dashes between the letters)(|, please).`,
    `(spelling of ${word}|spelling: ${word}|spell: ${word}|${word} spelling|${word}, spelling|${word}: spelling|${word}, spell it|${word} spelled|letters of ${word}|correct spelling of ${word}|spelling ${word})(|?|.)`,
    `${word}(: how is it spelled?|: how do you spell it?|: how do you spell that?|? How is that spelled?|. Spell that.|. Spell it.|, how do I spell that?|: which letters?|: spell it, please.|: what are the letters?|. How is it written?)`,
    `(write|say|list|give me|name|show me|tell me|read out|recite|print|type) (the|all the|all|the single) letters (of|in) ${word} (||one by one|in order|in the right order|one after the other).`,
    `(which|what) letters (are in|make up|form|are used in|do I need for|do I need to write|do you need for|does one need for|spell|are there in|appear in|stand in) ${word}?`,
    `(of|from) (which|what) letters is ${word} (made|built|put together|formed)?`,
    `(which|what) letters does ${word} (have|contain|consist of|include)?`,
    `the letters (of|in) ${word}(?|, please.|, one by one.|, in order, please.)`,
    `(break|split|divide|cut|separate) ${word} (into|up into) (letters|its letters|single letters).`,
    `(put|write|set|place) a (dash|hyphen) between the letters of ${word}.`,
    `(here is a word|the word is|my word is|this is the word|I have a word|next word|take this word|a word for you): ${word}. (Spell it|How is it spelled|How do you spell it|Which letters does it have|Give me its letters|Spell it for me|What are its letters)(.|?)`,
    `(can you|could you|please|will you) (spell|spell out) (this|this word|it) for me: ${word}(?|.|)`,
    `(my teacher wants me to spell|I have to spell|I must spell|we have to spell|in the spelling test we had|I was asked to spell|my boss asked me to spell|I need to write|I have to write|I want to write|I would like to write|I am trying to write|I am trying to spell) ${word}. (How|How does it go|Which letters|Can you help me|How is it spelled|Please spell it|How do I spell it)(?|.)`,
    ...askFor(
      `the (spelling|correct spelling|right spelling|letters|exact spelling|single letters) of ${word}`,
    ),
    ...askWhether(
      `(how ${word} is (spelled|spelt|written)|how to spell ${word}|how you spell ${word}|how one spells ${word}|which letters are in ${word}|what letters ${word} has)`,
    ),
  ];
}

/** Templates that want the number of letters. */
export function countQuestions(word: string): string[] {
  return [
    `how many letters (are|are there|are used|can you count|do you count|do you see|stand) in ${word}?`,
    `how many letters does ${word} (have|contain|consist of|count|need|include)?`,
    `how many letters (has ${word}|has ${word} got|make up ${word}|form ${word}|do I need for ${word}|are needed for ${word}|do I write for ${word})?`,
    `(count|please count|can you count|could you count|I want you to count|help me count|now count|would you count) (the|all the|all) letters (in|of) ${word}.`,
    `how long is ${word} (||in letters|, counted in letters)?`,
    `(${word}: how many letters|${word}, how many letters|${word} - how many letters|${word} has how many letters|${word}: how many letters is that|${word}: how many letters does it have|${word}, how long is it in letters|${word}: number of letters)?`,
    `(letter count|number of letters|length in letters|letters|count of letters|length) (of|in|for) ${word}(?|)`,
    `(here is a word|the word is|my word is|take this word|I have a word): ${word}. How (many letters does it have|many letters are in it|many letters has it|long is it|many letters is that)?`,
    `of how many letters (is ${word} made|does ${word} consist)?`,
    `(for a crossword|for my game|for a label|for a puzzle), (I need to know how many letters ${word} has|how many letters are in ${word}|how long is ${word})?`,
    ...askFor(`the (number of letters|letter count|count of letters) (in|of) ${word}`),
    ...askWhether(
      `(how many letters ${word} has|how many letters are in ${word}|how many letters there are in ${word}|how long ${word} is)`,
    ),
  ];
}

/** Templates that want the letter in this place: "first", "last", "third". */
export function letterQuestions(word: string, ordinal: string): string[] {
  const general = [
    ...askFor(`the ${ordinal} letter (of|in) ${word}`),
    ...askWhether(
      `(which|what) (letter is the ${ordinal} (one in|in|of) ${word}|the ${ordinal} letter of ${word} is)`,
    ),
    `(which|what) is the ${ordinal} letter (of|in) ${word}?`,
    `(which|what) letter (is the ${ordinal} one in|comes ${ordinal} in|stands ${ordinal} in|is ${ordinal} in|do I write ${ordinal} in) ${word}?`,
    `in ${word}, (which|what) letter (comes ${ordinal}|is the ${ordinal} one|is ${ordinal})?`,
    `${word}(: ${ordinal} letter?|, ${ordinal} letter?|: which letter is ${ordinal}?|: the ${ordinal} letter, please.|. What is its ${ordinal} letter?|: what is the ${ordinal} letter?|, the ${ordinal} letter)`,
    `(here is a word|the word is|my word is|take this word): ${word}. (What is|Which is|Tell me|Name) its ${ordinal} letter?`,
    `${ordinal} letter (of|in) ${word}(?|)`,
    `the ${ordinal} letter of ${word} is (what|which|which one|...)?`,
  ];
  return [...general, ...(edgeQuestions[ordinal]?.(word) ?? [])];
}

const edgeQuestions: Readonly<Record<string, (word: string) => string[]>> = {
  first: (word) => [
    `(with which|with what) letter does ${word} (start|begin)?`,
    `(which|what) letter does ${word} (start with|begin with)?`,
    `${word} (starts|begins) with (which|what) letter?`,
    `(which|what) letter (starts|begins|opens) ${word}?`,
    `(which|what) letter (is|stands) at the (start|beginning|front) of ${word}?`,
    `(what|which letter) (does ${word} start with|is ${word} beginning with|is the initial of ${word}|does ${word} begin with)?`,
    `(under|at) which letter (do I find|would I look up|must I look for) ${word} in (a dictionary|the dictionary|an index)?`,
    ...askFor(`the (initial|starting letter|beginning letter|letter at the start) of ${word}`),
    ...askWhether(`(with which letter ${word} (starts|begins)|which letter ${word} (starts|begins) with)`),
  ],
  last: (word) => [
    `(with which|with what|in which|on which) letter does ${word} (end|finish|stop|close)?`,
    `(which|what) letter does ${word} (end|end with|end in|end on|finish with)?`,
    `${word} (ends|finishes) (with|in) (which|what) letter?`,
    `(which|what) letter (ends|closes|finishes) ${word}?`,
    `(which|what) letter (is|stands) at the (end|very end|back) of ${word}?`,
    `(what|which letter) does ${word} end (with|in)?`,
    ...askFor(`the (final letter|ending letter|closing letter|letter at the end) of ${word}`),
    ...askWhether(`(with which letter ${word} (ends|finishes)|which letter ${word} (ends with|ends in))`),
  ],
};

/** Templates that want the word in capitals. */
export function capitalsQuestions(word: string): string[] {
  const capitals =
    '(capitals|capitals|capital letters|capital letters|upper case|uppercase|big letters|all caps|caps|block letters|block capitals|only capitals|upper-case letters|all capitals)';
  return [
    `(write|put|give me|say|print|type|show me|show|display|can you write|could you write|please write|please put|can you put|could you put|I want|I need|I would like|return|set|render) ${word} in ${capitals}.`,
    `(write|put|give me|can you write|please write) ${word} in ${capitals}.`,
    `(what is|how do you write|how do I write|how would you write|what would be|how is) ${word} in ${capitals}?`,
    `how (does ${word} look|is ${word} written|do I type ${word}|would ${word} look) in ${capitals}?`,
    `(make|turn|change|convert|switch|can you turn|please turn|can you change|could you convert) ${word} (into|to) ${capitals}.`,
    `(uppercase|please uppercase|can you uppercase|could you uppercase|upper-case|can you upper-case|make upper case|would you uppercase) ${word} (|for me|please).`,
    `make ${word} (upper case|uppercase|all caps|all capitals).`,
    `${word} in ${capitals}(?|, please.|.| please|)`,
    `in ${capitals}(, please|): ${word}(|.)`,
    `(${word}, uppercase|${word} uppercase|${word} in caps|${word}: upper case|uppercase: ${word}|capitals: ${word}|all caps: ${word}|${word}, all capitals|${word} to uppercase)(|.|, please.)`,
    `(here is a word|the word is|my word is|take this word): ${word}. (Write it|Put it|Give it to me|Show it|Type it) in ${capitals}.`,
    `${word}(: write it in ${capitals}.|. Write that in ${capitals}.|, but in ${capitals}, please.|: how does it look in ${capitals}?|: make it uppercase.)`,
    `(write|put|type|print) (this|this word|it|the following|the following word) in ${capitals}: ${word}(|.)`,
    `I (need|want|would like|have to write|must type) ${word} in ${capitals} (|for a sign|for a label|for a form|for a title).`,
    ...askFor(
      `(the upper-case form|the upper case version|the uppercase version|the form in capitals) of ${word}`,
    ),
    ...askWhether(
      `(how to write ${word} in ${capitals}|how ${word} looks in ${capitals}|what ${word} is in ${capitals})`,
    ),
  ];
}

/** Templates that want the word, given in capitals, in small letters. */
export function smallQuestions(word: string): string[] {
  const small =
    '(small letters|lower case|lowercase|lower-case letters|little letters|lowercase letters|small letters only)';
  return [
    `(write|put|give me|type|show me|can you write|please write|I need|print) ${word} in ${small}.`,
    `(what is|how do you write|how is|how does one write) ${word} in ${small}?`,
    `(make|turn|change|convert|can you turn) ${word} (into|to) ${small}.`,
    `(lowercase|please lowercase|can you lowercase|could you lowercase) ${word}.`,
    `${word} in ${small}(?|, please.|.)`,
    `(${word}, lowercase|lowercase: ${word}|${word}: lower case|make ${word} lower case)(|.|, please.)`,
  ];
}
