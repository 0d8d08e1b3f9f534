/** What people say around a question without changing what they ask. Templates for `vary`. */

const person =
  '(boss|colleague|neighbour|teacher|sister|brother|mother|father|mum|dad|friend|son|daughter|wife|husband|aunt|uncle|' +
  'cousin|flatmate|classmate|student|customer|client|team|manager|trainee|intern|professor|grandmother|grandfather|' +
  'partner|admin|landlord|coach|tutor|office mate|team lead|supervisor|niece|nephew|whole family|class|guest)';
const owner = '(my|my|my|my|our|a|the|his|her)';
const asks =
  '(asks|asks me|asked|asked me|wants to know|wanted to know|would like to know|is asking|needs to know|just asked|' +
  'keeps asking|asks me this|asked me today|is wondering|has a question|sent me this question|has asked me)';
const work =
  '(school project|homework|school|a quiz|a test|my work|a talk|my notes|a report|a friend|my class|an exam|a bet|' +
  'a crossword|a game|my thesis|a presentation|a workshop|the documentation|a blog post|a small project|my blog|' +
  'a course|our wiki|a demo|a meeting|my diary|my team|the newsletter|a manual|a lesson|a study)';
const paper =
  '(a report|a blog post|a manual|a lesson|a guide|a presentation|my thesis|the documentation|a small project|a course|a talk|the newsletter|my notes|our wiki|a quiz|a workshop|a study|an article)';
const state =
  '(tired|hungry|in a hurry|new here|a beginner|at work|on the train|a bit lost|confused|curious|stuck|nervous|' +
  'not an expert|still learning|at home|on my phone|busy|half asleep|on holiday|no programmer|a student|a teacher|' +
  'quite old|very young|alone here|in a meeting|not sure|bored|excited|unsure|behind schedule|writing a guide)';
const moment =
  '(late|early|raining|snowing|early in the week|a long day|foggy|stormy|nearly midnight|a busy day|hot here|cold here|' +
  'lunch time|the weekend|a quiet evening|noisy here|dark outside|sunny|time for a break|almost over)';
const trouble =
  '(looked everywhere|read the manual|searched for it|asked everybody|tried everything|thought about it|slept badly|' +
  'had no coffee yet|forgotten it|no idea|little time|a strange question|a silly question|a simple question|' +
  'an easy one for you|a question for you|never done this before|only just started|been away for a while|no luck so far)';
const vocative =
  '(hearth|hearth-demo|hearth demo|model|dear model|little model|tiny model|my friend|friend|computer|assistant|' +
  'dear assistant|machine|bot|buddy|mate|you there|everyone|all|folks|dear helper|small one)';
const hail =
  '(hi|hello|hey|good day|good morning|good evening|good afternoon|greetings|hi there|hello there|hey there|howdy)';

/** What stands before a question; ends in the mark and the space. */
export const leadIns: readonly string[] = [
  // Short openers are the most common.
  ...Array.from(
    { length: 4 },
    () =>
      '(please tell me|quick question|one question|another question|tell me|question|my question is|I have a question|' +
      'I want to know|just wondering|help me|next|then|I wonder|one thing|one more thing|small question|a quick one|' +
      'now this|next question|last question|here is one|my question|what I need|what I would like to know|remind me|' +
      "here's my question|I am asking myself|let me ask|let me ask you this|answer me this|first question|to begin with|" +
      'something else|and another one|a different thing|new topic|change of topic|back to work|short answer please|' +
      'for the record|seriously|be honest|guess what I want to know|please answer|can you answer this|try this one)' +
      '(: |: |: | - |... )',
  ),
  ...Array.from(
    { length: 3 },
    () =>
      '(hey|hi|hello|ok|okay|sorry|tell me|now|well|excuse me|hm|say|right|alright|so|listen|look|oh|ah|please|um|hmm|' +
      'by the way|in short|all right|fine|good|great|thanks|pardon|sure|yes|no|anyway|also|btw|finally|first|next|' +
      'out of interest|just out of curiosity|if I may ask|if you do not mind|one more time|once more|for once|actually|' +
      'honestly|to be clear|just to be sure|just so I know|to be honest|believe it or not|believe me|oh well|speaking of which), ',
  ),
  '(so|and|but|now|ok so|well then|and now|but then|and then) ',
  `${hail}(,|!|.) `,
  `${hail} ${vocative}(,|!|.) `,
  `${hail}(,|!|.) (can|could) you help me(|, please| with something| a little| out)? `,
  `${hail}(,|!|.) I (have|have got|come with|bring) (a|one|a little|a small|an easy|a short) question(: |. |, )`,
  `${vocative}(, |: |, please: |, tell me: |, quick question: |, I wonder: )`,
  `(dear|hey|listen|ok|so|psst) ${vocative}, `,
  `${owner} ${person} ${asks}: `,
  `${owner} ${person} ${asks}: `,
  `${owner} ${person} ${asks}, `,
  `(I promised|I have to tell|I must explain it to|I am helping|I want to surprise|I am sitting here with) my ${person}(: |. |, so: )`,
  `my ${person} (does not know|has no idea|could not tell me|says you know this|says you can help|sent me|and I disagree)(: |. )`,
  `for ${work}: `,
  `(it is|this is|I need this|I need it|I am asking) for ${work}(: |. )`,
  `(I am|I'm) (working on|writing|preparing|helping with) ${paper}(: |. )`,
  `(I am|I'm) ${state}(. |, so: |: |... |. |, but )`,
  `(I am|I'm) ${state} and ${state}. `,
  `(it is|it's) ${moment}(. |, so quickly: |: |... )`,
  `(it is|it's) ${moment} and (I am|I'm) ${state}(. |: |, so: )`,
  `(I have|I've|I have got) ${trouble}(. |: |, so: |, but )`,
  `(I have|I've) ${trouble} and (I am|I'm) ${state}. `,
  `(I am|I'm) ${state} and (I have|I've) ${trouble}(. |: )`,
  '(can|could|would) you (help me|help|answer something|tell me something|explain something|assist me)(, please|)? ',
  '(maybe|perhaps|surely|I hope|I guess|I think) you (know this|can help|can tell me|can answer this)(: |. )',
  "(sorry|excuse me|forgive me|pardon me)(,| but|:) (I am|I'm) new (here|to this|to all this)(. |: )",
  '(sorry|excuse me) (for (the stupid question|asking again|the trouble)|if this is (a stupid question|a beginner question))(: |. |, )',
  '(someone|somebody|a person|people|everybody|a stranger|a visitor|a child|nobody) (here|at work|on the phone|next to me|in the chat) (asks|wants to know|asked)(: | this: )',
  '(this may be|this is surely|that is probably|maybe it is) (a silly question|obvious|an easy one|well known|simple)(, but |: |. )',
  '(we|they|two of us|some of us) (are arguing|were wondering|have a bet|disagree|talked about it|cannot agree)(: |. )',
  '(thanks for before|thanks so far|that was fast|good answer|great, thanks|ok, got it|I see|nice|cool|understood)(. |! |. Now: |. Next: |. One more: )',
];

/** What stands after a question's end mark. */
export const endings: readonly string[] = [
  ' (thanks|please|thank you|many thanks|thanks a lot|thx|cheers|thanks in advance|thank you very much)(.|!)',
  ' (just|only) the (answer|short answer|essential|facts)(,|) please.',
  ' (I need to know|tell me|do tell|quickly|be quick|be brief|keep it short|in short please|short answer please|no long story|I am curious|it is urgent|hurry|help)(.|!)',
  ' (do you know|any idea|can you help|can you tell me|could you help me|you know that, right|or is that too hard)?',
  ` (it is|it's|this is|I need it|I need this|asking) for ${work}.`,
  ` my ${person} ${asks}.`,
  ` my ${person} (does not know|has no idea|says you know|could not tell me|forgot).`,
  ` (I am|I'm) ${state}.`,
  ` (I have|I've) ${trouble}.`,
  ` (it is|it's) ${moment}.`,
  ' (I forgot|I forget|I cannot remember|I never know|I keep forgetting|I should know this|I once knew it|I really want to know|nobody here knows|I could not find it|that is all|that is all I need|no hurry|take your time).',
];

/** After "what is", "how do", "where can" and such. */
export const innerFillers = 'exactly actually then really precisely'.split(' ');

/** Before a question's mark. */
export const closingFillers: readonly string[] = [
  '(,|) (exactly|actually|by chance|by any chance|then|please|though|anyway|precisely|really)',
  ', (by the way|if I may ask|if you know|do you know|if you do not mind|in short|out of interest|my friend|please tell me|in fact|roughly speaking|just asking|can you say|in the end)',
  `, ${vocative}`,
];

/** Words in which typing goes wrong; none is ever a word to be copied or spelled. */
export const mistyped = new Set(
  (
    'what which where when does have could would should your you they there their the this that these those with for how ' +
    'who why are is capital opposite letters spell spelled written mean means meaning know model models ' +
    'keys account accounts create delete remove command install download explain difference between ' +
    'many much file files folder error limit limits server password plans hello thanks goodbye ' +
    'something anything questions would into'
  ).split(' '),
);
