/**
 * How people ask for something to be done. `{c}` is the clause ("feed the lion at noon"), `{v}` the verb, `{g}` and `{p}`
 * its forms ("feeding", "fed"), `{n}` the object ("the lion"), `{b}` the bare object ("lion"), `{t}` the details (" at
 * noon", maybe empty); a capital letter stands for a capitalised text.
 */
export const orderForms: readonly (readonly [string, number])[] = [
  ['{C}.', 12],
  ['{c}', 8],
  ['{C}(!|)', 3],
  ['(Please|please|Pls|Kindly|Now|Next,|Quickly,|Just) {c}(.|)', 8],
  ['{C}(, please| please|, thanks|, thank you|, if you can|, would you)(.|)', 4],
  ['(Can|Could|Would|Will|can|could) you (please|kindly|just|quickly|maybe|) {c}?', 10],
  ['(Can|Could) you help me {v} {n}{t}?', 1],
  ["(I want|I need|I would like|I'd like|I'd love|I ask) you to {c}(, please|).", 3],
  ['I (want|need|would like|have|am trying|hope|plan|wish) to {c}(.|, please.|. Help me.|)', 4],
  ['We (want to|need to|should|have to|must|would like to) {c}(.|)', 2],
  [
    '(My boss|My colleague|My sister|Our guest|Mum|A friend|My neighbour|The captain|The team) (wants|would like|has asked) (me|us|you) to {c}.',
    1.5,
  ],
  ["(It is|It's|High) time to {c}.", 1],
  ['(Is it possible|Would it be possible|Is there a way|Are you able) to {c}?', 1.5],
  ['Would you mind {g} {n}{t}?', 1],
  ['(How about|What about) {g} {n}{t}?', 0.7],
  ['{N} (must|should|has to) be {p}{t}.', 1.5],
  ["(I need|I want|I would like to have|Get|Have|I'd like) {n} {p}{t}(.|, please.)", 2],
  ['Can {n} be {p}{t}?', 1],
  [
    "(Let's|Let us|Let me|Go ahead and|Be so kind and|Make sure to|Do not forget to|Don't forget to|Remember to|Try to|Help me to|Start to) {c}.",
    2.5,
  ],
  ['I forgot to {c}. (Can you do it|Please do it|Do it for me|Help)(.|, please.|!)', 0.7],
  [
    '(Hi|Hey|Hello|Good morning|Good evening|Ok|Okay|So|Well|Alright)(,|!) (please |can you |could you |) {c}(.|)',
    2,
  ],
  ['(Hi|Hello|Hey)! (I need|I want|I would like) to {c}.', 1],
  ['{v} {b}{t}', 3],
  ['{V} {b}{t}(.|, please.)', 2],
  ['(About|As for) {n}: please {v} it{t}.', 0.8],
  [
    '(Do me a favour|Be nice|Quick task|Task|Your job|To do|Todo|Job for you|One thing|Small request|My wish|Request|Command): {c}(.|)',
    1.5,
  ],
  [
    "(I cannot|I can't|I do not know how to|I don't know how to) {c}(. Can you?|. Please do it.| myself.|. Help me.)",
    1,
  ],
  ['(May|Could|Can) I {v} {n}{t}?', 1],
  ['Who can {c}?', 0.4],
  [
    '(We are ready|Everything is ready|It is late|I am in a hurry|I am busy|I am back|All right). {C}(, please|).',
    0.8,
  ],
  [
    '{C}, (I am in a hurry|it is urgent|that would be great|that would help|and be quick|I beg you|my friend).',
    0.6,
  ],
  ['(It would be (nice|great|good)|I would be glad|I would be happy) if you could {c}.', 0.8],
];

/** How people ask what something is: `{s}` is "the price of the chair", `{b}` "price", `{t}` " of the chair". */
export const lookupForms: readonly (readonly [string, number])[] = [
  ["(What is|What's|what is|whats|Whats|what's|What was) {s}(?|)", 12],
  ['(Tell|Give|Show|Send|Get|Find) me {s}(.|, please.|)', 7],
  ['(Can|Could|Would|Will) you (please|) (tell|show|give|get|find) me {s}?', 4],
  [
    '(Do you know|Do you happen to know|Do you have|Have you got|Can I have|May I see|Can I see|Can we see) {s}?',
    3,
  ],
  [
    'I (need|want|would like|am looking for|am interested in|forgot|have lost|do not know|am curious about|must know|need to know|want to know|would like to know|was wondering about) {s}(.|)',
    5,
  ],
  [
    '(My boss|My colleague|My sister|A customer|A guest|Someone|A friend) (wants to know|is asking for|needs|asks for) {s}.',
    1.5,
  ],
  [
    '(Could you|Can you|Please|please|Just|Quickly) (look up|check|find|find out|get|show|fetch|read) {s}(.|)',
    4,
  ],
  ['(Look up|Check|Find|Find out|Get|Show|Fetch|Read|look up|check|find|show) {s}(.|)', 5],
  ['{B}{t}(?|, please.|)', 4],
  ['{b}{t}', 3],
  ['(Any idea|Any news|Anything) (about|on) {s}?', 1],
  ['(Let me|I want to|I would like to|We need to|Let us) (see|know|check) {s}.', 2],
  ['(How about|What about) {s}?', 1],
  [
    '(Could you tell me|Can you tell me|Do you know|I wonder|I forgot|I have no idea|Tell me|I would like to know) what {s} is(.|)',
    2,
  ],
  [
    '(I have a question about|It is about|This is about|My question is about|Information on|Information about) {s}(.|)',
    1,
  ],
  ['{B}{t}, (what is it|do you know it|can you check|can you look that up)?', 1],
  ['{S}, please.', 1],
  [
    '(Hi|Hello|Hey|Ok|Okay|Well|Sorry|Excuse me)(,|!) (what is|I need|can you tell me|tell me|show me|do you know) {s}(?|)',
    2,
  ],
];
