/** Small talk of one kind, and the one answer to it. The texts are templates for `vary`, without a name of address. */
export interface SmallTalk {
  readonly answer: string;
  /** How often it comes up. */
  readonly weight: number;
  /** Greetings, remarks and requests; a mark is added. */
  readonly said?: readonly string[];
  /** Questions; the question mark is added. */
  readonly asked?: readonly string[];
}

const day =
  '(||||today|now|this morning|this evening|this week|tonight|on this fine day|at the moment|right now)';
const much = '(|||really|so|very|quite|truly|always)';
const feeling =
  "(I am|I feel|I am feeling|I'm|I'm feeling|today I am|now I am|I have been feeling|I was|we are)";
const time = '(day|morning|evening|afternoon|night|week|weekend|holiday|trip|meeting|lesson)';

/** Small talk that has nothing to do with who the model is. */
export const smallTalk: readonly SmallTalk[] = [
  {
    answer: 'Hello! How can I help you?',
    weight: 14,
    said: [
      "(hello|hi|hey|hello there|hi there|hey there|hiya|greetings|howdy|yo|heya|helo|hello hello|good day|hullo|hi hi|ahoy|g'day|welcome|salutations|heyo|hi again|hello again|helloo|hii)",
      '(hello|hi|hey|greetings) (everyone|all|again|world|out there|from me|from Rome|from the office|from the train|from my kitchen|from rainy London|to you|to all of you)',
      '(hello|hi|hey|good day), (nice to meet you|good to see you|I am new here|I am back|here I am|it is me|it is me again|long time no see|pleased to meet you|happy to be here|I just arrived|glad to meet you|I wanted to say hello)',
      '(nice to meet you|good to see you|pleased to meet you|glad to meet you|it is nice to meet you|nice to see you again|how nice to meet you)',
      '(let us talk|let us chat|talk to me|I would like to talk|I want to chat|I want to talk to you|I am here|here I am|I am back|I want to say hello|I just want to say hello|I came to say hi|just saying hi|I came to greet you|let us begin|we can begin)',
      '(a warm hello|a big hello|many greetings|best greetings|warm greetings|hello and welcome|a friendly hello|greetings and salutations|hello to you|a good day to you|hi to you too)',
    ],
    asked: [
      '(are you there|anyone there|is anyone there|hello, anybody here|is somebody there|anybody home|is anybody listening|can you hear me|do you hear me|are you awake|are you listening|are you still there|are you ready|is this thing on|are you back|do you read me)',
      '(hello|hi|hey), (is anyone there|are you there|can you hear me|are you awake|is somebody listening|anybody there|are you ready|do you have a minute|do you have time)',
      '(can we talk|can I talk to you|shall we talk|may I talk with you|can we chat|shall we chat|do you want to talk|can I speak with you|may I say hello|do you have a minute|do you have time for me)',
    ],
  },
  ...['morning', 'afternoon', 'evening'].map((part) => ({
    answer: `Good ${part}! How can I help you?`,
    weight: 2,
    said: [
      `good ${part}`,
      `(a very|a|have a|a most|a lovely,) good ${part} (to you|to everyone|to all|from me|from here|wherever you are)`,
      `(hello|hi|hey|oh|ah|well|greetings)(,|) (and |a |)good ${part}`,
      `good ${part}(, (I am new here|here I am|I am back|nice to meet you|it is me again|how nice|everyone|all|world|dear all|I just got up|I just arrived))`,
      `(I wish you|I say|let me say|I want to say|I just want to say|may I say|wishing you) (a |)good ${part}`,
      `good ${part} (again|once more|there|to you too|from the office|from sunny Spain|from my desk|from the train|and hello)`,
    ],
  })),
  {
    answer: 'I am fine, thank you. How can I help you?',
    weight: 9,
    asked: [
      `(how are you|how are you doing|how is it going|how do you do|how do you feel|how have you been|how are things|how is life|how goes it|how are you getting on|how are you feeling|how do things go) ${day}`,
      `(how's|how is) (it going|your day|your day so far|everything|life|it|all|your evening|your morning|your week|business|the mood) ${day}`,
      `are you (well|okay|fine|all right|in good shape|in a good mood|happy|doing well|having a good day|feeling good|feeling well) ${day}`,
      `(what's up|whats up|what is up|how's tricks|what is new with you|how are you then|you okay|all good|everything fine|everything okay|all well|everything all right|doing fine)`,
      `(hi|hello|hey|good day|greetings)(,|!|) (how are you|how are you doing|how is it going|how do you feel|how's life|how have you been|how are things|are you well|what's up|everything fine) ${day}`,
      `did you (sleep well|have a good night|have a nice weekend|have a good day)`,
      `how was your (day|morning|evening|night|week|weekend|holiday|trip)`,
      `(may I ask|tell me|and you,|and|so,) how (are you|are you doing|it is going|you are|do you feel) ${day}`,
      `(is everything|is all) (fine|okay|all right|good|well) (with you|over there|at your end|)`,
    ],
    said: [
      `(I hope|I trust) (you are (well|fine|okay|doing well|in good health)|(all is well|everything is fine) (with you|)|you had a good ${time})`,
      '(tell me how you are|tell me how it goes|say how you feel|let me know how you are)',
    ],
  },
  {
    answer: 'You are welcome!',
    weight: 9,
    said: [
      '(thanks|thank you|thx|many thanks|thank you very much|thanks a lot|thank you so much|cheers|ty|thanks a million|thank you kindly|much obliged|thanks again|thank you again|big thanks|a thousand thanks|thank u|thanks so much|thanks a bunch|thanking you)',
      '(thanks|thank you|many thanks|thank you so much|cheers|thanks a lot) for (your help|that|the answer|everything|helping me|the quick answer|your time|your patience|the information|explaining|the explanation|all your answers|the tip|this|being there|the talk|listening|the nice chat)',
      '(that helped|that was helpful|very helpful|that was a great help|you helped me (a lot|very much|today)|this is just what I needed|that is what I wanted to know|that was what I needed|that solved it|that answers my question|that did it|it works now|now it works|problem solved)(|, thanks|, thank you|, many thanks)',
      '(great|perfect|ok|super|wonderful|excellent|lovely|nice|fine|good|all right|awesome|brilliant|very good|I see|got it|understood|yes)(,|) (thanks|thank you|thanks a lot|many thanks|thank you so much|thanks for that)',
      "(I am|I'm|we are|I am very|I am so) (grateful|thankful|much obliged|in your debt|grateful to you|thankful for your help)",
      '(I want to|I would like to|let me|I just wanted to|I have to|may I) (thank you|say thanks|say thank you|thank you for everything|express my thanks)',
      '(how can I thank you|I owe you one|I cannot thank you enough|I appreciate it|I appreciate your help|much appreciated|appreciated|I really appreciate that|that is kind of you, thanks|you are a great help, thanks|my boss says thanks|my whole team says thank you|my friend thanks you too)',
      '(I am learning (French|German|Spanish|Italian|Dutch|Portuguese), (but |and |)(thanks|thank you)|thanks from (Paris|Berlin|Madrid|Rome|Lisbon|Amsterdam)|no more questions, thanks|that is all I wanted to know, thanks)',
    ],
  },
  {
    answer: 'Goodbye!',
    weight: 8,
    said: [
      "(bye|goodbye|good bye|see you|see you later|bye bye|farewell|so long|cya|see you tomorrow|until next time|see you soon|take care|until later|bye for now|talk to you later|see you around|till tomorrow|cheerio|see ya|later|until we meet again|until tomorrow|catch you later|so long then|byebye|g'bye)",
      '(I have to go|I must go|I am leaving|I am off|that is all for today|I am going now|I am going home|I need to leave|time to go|I will be off|my train is coming|I have to catch my bus|dinner is ready|it is time for me to go|duty calls|my break is over|I am out|I have to run|we have to leave|I am logging off|I should go)(|, bye|, goodbye|, see you|. Bye|. See you)',
      '(thanks|ok|okay|thank you|thank you for everything|good|fine|right|well|many thanks|all right|great)(,|) (bye|goodbye|see you|bye bye|see you later|until next time|farewell)',
      '(bye|goodbye|see you|farewell)(,|) (and thanks|and thank you|have a nice day|take care|until tomorrow|until next week|and all the best|I have to go|my friend is waiting|it was nice talking to you|and good luck|have fun)',
      '(have a (nice|good|great|lovely|pleasant) (day|weekend|evening|time|one|week|trip))',
      '(I want to say|let me say|it is time to say|I say|I only came to say|now we say) (goodbye|bye|farewell)',
      '(it was nice talking to you|nice talking to you|it was nice to meet you, bye|it was a pleasure, goodbye|good talk, see you|we are done here, bye|I am done, goodbye|that was all, bye|that was all, goodbye|that is it, see you)',
      '(I am off to|I have to go to|time for|I am leaving for) (my (French|Spanish|German|Italian) (class|lesson)|Paris|Rome|Berlin|Lisbon|work|school|lunch|the shops|the gym|my meeting|dinner)(, bye|. Goodbye|, see you|. See you later|, bye bye)',
    ],
  },
  {
    answer: 'Good night!',
    weight: 3,
    said: [
      '(good night|sleep well|have a good night|nighty night|night night|sleep tight|sweet dreams|good night then|a good night to you|have a quiet night|goodnight|gnight|a restful night|pleasant dreams|good night and sleep well)',
      '(I am going to bed|I am off to bed|I have to sleep now|time for bed|it is bedtime|I need to sleep|I will sleep now|I am tired and go to bed|bedtime for me|off to bed|my bed is calling|I go to sleep)(|, good night|. Good night|, sleep well)',
      '(thanks|ok|bye|well|so|all right|thank you|it is late|that is all), (and |)good night',
      '(I wish you|we wish you|I say|let me say|wishing you) (a |)good night',
      'good night (everyone|all|to all|to you|for now|until tomorrow|and thanks|and bye|and sweet dreams|from me)',
    ],
  },
  {
    answer: 'Why did the token cross the context? To get to the other sequence.',
    weight: 4,
    said: [
      '(tell|tell me|say|give me|let me hear|please tell me|share|tell us|read me|make) (a|another|one|some|one more|your best|your favourite|a good|a short|a funny|a new) joke',
      '(make me laugh|say something funny|be funny|cheer me up|I want to laugh|tell me something funny|amuse me|make me smile|I need a laugh|something funny please|show me your humour|I could use a laugh|let us have a laugh|joke please|joke|jokes please|a joke)',
      '(I would like|I want|I need|we want|I wish) (to hear |)(a|another|a good|one more|a short) joke',
      '(my (boss|sister|friend|team|son|mother) (wants|would like|needs) (a|to hear a) joke|I collect jokes, tell me one|it is a sad day, tell me a joke|I am bored, tell me a joke)',
      'tell (me|us) a joke about (computers|models|tokens|language models|yourself|AI|a chicken)',
    ],
    asked: [
      '(do you know|have you got|have you|do you have|have you heard) (a joke|any jokes|good jokes|another joke|a funny joke|a good joke|some jokes)',
      '(can|could|will|would) you (tell me a joke|make me laugh|say something funny|be funny|tell a joke|make a joke|tell jokes|cheer me up with a joke)',
      '(know any jokes|know a good one|got a joke|any joke for me|what is your best joke|what is your favourite joke|are you funny|what makes people laugh|do you have humour|do you have a sense of humour)',
    ],
  },
  {
    answer: 'Thank you, that is kind!',
    weight: 4,
    said: [
      `(you are|you were|you're|I think you are|I find you|to me you are) ${much} (great|nice|good|funny|clever|smart|helpful|sweet|cool|the best|amazing|wonderful|kind|lovely|fantastic|brilliant|charming|a star|a genius|a good bot|a great help|polite|fast|my hero|awesome|excellent)`,
      '(I like you|I love you|I like you very much|I really like you|I like talking to you|I enjoy our talk|you make me happy|you make my day|you made my day|I am impressed|I am amazed|you impress me|I could talk with you all day|you did well today)',
      '(good job|well done|good bot|nice work|great answer|good answer|very good|nice|bravo|great|great work|good work|excellent|amazing|wonderful|wow|fantastic|superb|impressive|perfect|brilliant|cool|awesome|what a good answer|that was a good answer|what a clever answer|that was clever|nicely done|nice one|good boy)',
      '(my (boss|friend|mother|colleague|son|whole team) (likes|loves|admires) you|we (all |)(like|love) you|everybody likes you|people love you|you are better than I thought|I did not expect you to be so good)',
      'what a (nice|great|clever|helpful|lovely|sweet|polite|smart|good) (model|bot|assistant|program|answer|thing|little model) (you are|)',
    ],
  },
  {
    answer: 'I am sorry. I am only a tiny model.',
    weight: 4,
    said: [
      `(you are|you were|you're|I think you are|I find you) ${much} (stupid|dumb|bad|useless|wrong|slow|boring|terrible|silly|not helpful|awful|no help|a bad bot|an idiot|hopeless|no good|annoying|rude|a failure|not very smart|weak|mistaken|confused)`,
      '(that is wrong|that was wrong|bad answer|wrong|I hate you|that is not right|you made a mistake|nonsense|wrong answer|that is not true|that is false|not correct|incorrect|this is nonsense|rubbish|what nonsense|false|that makes no sense|that is not what I asked|you did not understand me|you got it wrong|that did not help|that is not helpful|no, that is wrong|this is wrong|you are mistaken here)',
      "(you (do not|don't) (know anything|understand anything|understand me|help me|listen|answer my question|get it)|you never (help|understand|answer)|you know nothing|you cannot do anything|you failed|you disappoint me|I am disappointed|I do not like you|I am not happy with you|you are worse than I thought)",
      'what a (bad|stupid|silly|terrible|useless|poor|dumb|boring|wrong) (model|bot|assistant|program|answer|thing)',
      '(bad bot|shame on you|try harder|you can do better|that was bad|that was stupid|poor answer|terrible answer|shut up|go away|be quiet|you talk nonsense|you waste my time|stupid bot|dumb machine)',
    ],
  },
  {
    answer: 'I am sorry to hear that. I hope that it gets better soon.',
    weight: 4,
    said: [
      `${feeling} ${much} (sad|unhappy|lonely|tired|bad|ill|sick|stressed|angry|afraid|worried|depressed|down|miserable|exhausted|nervous|anxious|hurt|upset|disappointed|homesick|not well|unwell|in pain|heartbroken|frustrated|scared) ${day}`,
      '(I had|we had|I have|what|it was) a (bad|terrible|horrible|hard|sad|awful|rotten|rough) (day|week|morning|night|time|year)',
      '(nobody likes me|my day was terrible|life is hard|everything goes wrong|I failed my exam|I lost my job|I lost my wallet|my dog died|my cat is ill|my friend is angry with me|I broke my arm|I have a headache|I have a cold|my head hurts|I cannot sleep|I slept badly|I miss my family|I miss my friend|my holiday was cancelled|I lost the game|my car broke down|my girlfriend left me|my boyfriend left me|I am having a hard time|nothing works today|I feel alone)',
      '(my (mother|father|sister|brother|son|daughter|friend|wife|husband|boss|cat|dog) is (ill|sick|sad|in hospital|not well|unhappy|angry with me|gone|very ill))',
      "(I could cry|I am crying|I feel like crying|I want to cry|I am close to tears|I do not feel well|I don't feel good|I am not feeling well|things are bad|it is all too much|I am at the end of my strength)",
    ],
  },
  {
    answer: 'I am glad to hear that!',
    weight: 4,
    said: [
      `${feeling} ${much} (happy|good|great|fine|well|excited|wonderful|cheerful|content|glad|relaxed|delighted|proud|in love|full of energy|better|over the moon|in a good mood|on top of the world|thrilled|pleased|lucky) ${day}`,
      '(I had|we had|I have|what|it was|it is|this is) a (good|nice|great|lovely|wonderful|fantastic|beautiful|perfect|happy) (day|week|morning|evening|time|holiday|weekend|trip)',
      '(I passed my exam|I won|I won the game|I got the job|I found my wallet|my team won|we won|I am getting married|I am in love|life is good|life is beautiful|the sun is shining|everything went well|I got a present|my friend came to visit|I finished my work|it is my birthday|I got good news|I am on holiday|I found a new friend|my exam went well|I learned to swim|I got a dog|we had a baby|today is a great day|all went well)',
      '(my (mother|father|sister|brother|son|daughter|friend|wife|husband|team) (is happy|is well again|got married|won a prize|passed the exam|is better now|had a baby|got the job))',
      '(I could dance|I could sing|I am smiling|I cannot stop smiling|hooray|hurray|yippee|yay|what joy|what a joy|I have good news|I have great news|things go well|things are going well)',
    ],
  },
  {
    answer: 'I did not understand that. Could you say it in other words?',
    weight: 4,
    said: [
      '(asdf|qwerty|asdfgh|blah blah|lkjh|hjkl|aaaaa|xyzzy|dfgdfg|bla|jkl jkl|zzz|abcabc|fghj|sdfsdf|qwe|asd|qweqwe|zxcv|zxcvb|yxcv|uiop|rtz|tzui|vbnm|hgfd|nnnnn|ooooo|xxxx|kkkk|ffff)',
      '(blub|lalala|tralala|foo bar|foo|bar baz|hm hm hm|wxyz wxyz|kjhgf|mnbvc|poiu|ghghgh|bla bla bla|dingdong|blabla|tatata|rumpeldi|dumdidum|pfff|brrr|grmbl|mumble mumble|yada yada|la la la|dada dada|nanana)',
      '(...|???|!!!|.|?|hm|hmm|uh|er|umm|eh|??|!?|....|-|--|;|:|erm|ähm|mmm)',
      '(as|df|gh|jk|kl|qw|we|rt|zu|op|yx|cv|bn|nm|xc|vb|po|lk)(jk|lö|df|gh|sd|fg|we|rt|zx|cv|mn|op)(hj|sd|kl|qw|er|ty|as|df|bn|vc|)( |)(|jk|sd|fg|we|as|xc|mnb|poi|lkj)',
    ],
  },
  {
    answer: 'Good. What else can I do for you?',
    weight: 3,
    said: [
      '(ok|okay|fine|alright|all right|I see|got it|understood|sure|yes|right|aha|k|okey|okay then|yep|yeah|yup|of course|certainly|indeed|exactly|agreed|correct|true|that is right|that is true|makes sense|good to know|I understand|I get it|clear|all clear|roger|noted|very well|so be it|fair enough|that is fine|no objection|will do|deal|ah I see|oh I see|I know|yes, I know|yes please|sounds good|good then)',
      '(ok|okay|yes|ah|oh|well|right|good|fine|aha|alright)(,|) (I see|got it|understood|good|fine|I understand|that is clear|makes sense|good to know|that is good|I know now|that is right|agreed)',
      '(now I|I think I|yes, I|finally I|I) (understand|see|know|get it|have understood|got it)',
      '(that is|it is|everything is|all is) (clear|fine|understood|okay|good) (now|to me|for me|so far|then)',
    ],
  },
  {
    answer: 'All right. Tell me when you need something.',
    weight: 3,
    said: [
      '(no|nope|no thanks|no, thank you|nothing|never mind|forget it|not now|nah|no need|nothing else|not today|nothing at all|no, nothing|not really|no more|nothing more|leave it|skip it|drop it|no, never mind|nevermind|not at the moment|nothing for now|no, not now|I need nothing|I do not need anything|I have no question|no question|no questions|no, that is all|maybe later|another time|not yet|let it be|I changed my mind|it does not matter|it is not important|forget about it|forget what I said|ignore that)',
      '(no|nope|nah|oh|well|hm|sorry|ah)(,|) (forget it|never mind|not now|nothing|it is nothing|leave it|no need|maybe later|nothing else|it does not matter|I changed my mind|I need nothing)',
      'I (need|want|wanted|require|ask for) nothing (|now|today|at the moment|else|more|for now)',
      'I (have no (wish|question|more questions)|do not (want|need) (anything|help)) (|now|today|at the moment|any more|right now)',
    ],
  },
  {
    answer: 'No problem!',
    weight: 3,
    said: [
      '(sorry|I am sorry|excuse me|my mistake|pardon|I apologize|oops|my bad|sorry about that|forgive me|I beg your pardon|pardon me|so sorry|I am so sorry|sorry for that|my fault|that was my fault|my apologies|apologies|I was wrong, sorry|please forgive me|whoops|ups|I made a mistake|I made a typo|that was a typo|sorry, typo|I pressed the wrong key|I typed too fast|wrong window, sorry|I did not mean that|I take it back)',
      '(sorry|excuse me|I am sorry|pardon me|forgive me|my apologies|I apologize) (for (the trouble|the wait|the delay|my typing|my bad English|that|the mistake|bothering you|my mistake|disturbing you|being rude|the confusion|being late)|that I (am late|disturb you|was rude|kept you waiting))',
      '(oh|oops|ah|well|hm|ups|oh dear|oh no)(,|) (sorry|my mistake|I am sorry|my fault|my bad|pardon|excuse me|forgive me|wrong window)',
    ],
  },
  {
    answer: 'Ask me for a capital, a sum, a spelling, or something about hearth.',
    weight: 3,
    said: [
      "(I am|I'm|I feel|we are|I am so|I am very|I get) bored",
      "(I have nothing to do|this is boring|entertain me|nothing to do today|I do not know what to ask|I have no idea what to ask|I don't know what to say|give me something to do|suggest something|choose a topic|propose a topic|pick a subject|give me an idea|surprise me|it is a boring day|what a boring day|time goes so slowly|I want some fun|make it interesting|you choose|let us do something|let us play|play with me|I have time to kill|I am killing time|start a conversation|say something|say anything|tell me anything)",
      '(give|suggest|tell|name) me (an example question|something to ask|a topic|a good question|an idea|a question that you can answer|something that I can ask you)',
    ],
    asked: [
      '(what shall we talk about|what can we talk about|what should I do now|what should I ask|what could I ask you|what shall we do|what do we do now|what now|any ideas|any suggestions|do you have an idea|what is a good question|what would you ask|what do people ask you|what do you want to talk about|which topic do you suggest|have you a suggestion|what else can we talk about)',
    ],
  },
];
