export type TraitTopic = 'home' | 'age' | 'employer' | 'hobby' | 'colour' | 'food';

/** What a persona is asked, in templates for `vary`. */
export const personaQuestions = {
  name: [
    "(what is|what's|tell me|may I know|can you tell me|may I ask|I would like to know|please tell me|what was) your name(|, please|, again)?",
    '(do you have a name|how are you called|what are you called|your name|what do they call you|have you got a name)?',
    '(hi|hello|hey|good morning|good evening)(,|!) what is your name?',
    '(what|how) (should|can|do|may|shall|must) I (call|address) you?',
    '(tell me|can you tell me|do you know|could you say|I forgot|remind me) (what your name is|how you are called|what you are called|what to call you)?',
    '(which|what) name (do you have|do you go by|did they give you|do you answer to|should I use for you)?',
    '(by|under) which name (do people know you|are you known|do you go|can I call you)?',
    'what (do|should|may) (people|others|your friends|we) call you?',
    '(your name|the name), please(.|?|)',
    'I did not (catch|hear|get) your name(.|, what is it?|, can you repeat it?)',
    '(how|what) did you say (your name is|you are called)?',
    '(is there|do they have) a name for you?',
    '(I want|I need|I have) to (write down|know|note) your name(.|: what is it?)',
  ],
  self: [
    'who are you(|, please|, exactly)?',
    '(tell me|say|please say|explain|I want to know|can you tell me|could you say|may I ask) who you are.',
    '(introduce|present|describe) yourself(, please|).',
    '(who am I talking to|who am I speaking with|who is this|who is there|who am I chatting with|with whom do I speak)?',
    '(hi|hello|hey|good day)(,|!) who are you?',
    '(tell me|say something|tell us|let me know) about yourself.',
    '(could you|can you|would you|please|will you) (please |)introduce yourself?',
    '(who is|whom do I have) on the (line|other end|other side)?',
    '(and |so |now |)who (might|may|could) you be?',
    '(who do I have the pleasure of talking to|who answers me here|who is speaking|who is writing to me)?',
    'I do not know who you are(.|, tell me.)',
    '(we have not met|I am new here|we have never talked)(.|:) who are you?',
  ],
  hello: [
    '(hello|hi|hey|hello there|hi there|good day|greetings|howdy|hey there|hallo)(|.|!)',
    '(hello|hi|hey)(,|!) (nice to meet you|are you there|I am new here|can you help me|good to see you|is anybody here)(|.)',
    '(hello|hi|hey) (again|friend|everybody|you|dear assistant)(|.|!)',
    '(a good day to you|is anyone there|anybody home|are you there|knock knock)(?|!|)',
  ],
  work: [
    '(what do you do|what is your job|what are you|what is your role|what is your work|what is your profession|what is your occupation)?',
    '(what kind of person are you|tell me what you are|what do you work as|what sort of work do you do|what line of work are you in)?',
    'what do you do (for a living|all day|for work|here|as a job|professionally|every day)?',
    '(which|what) (job|profession|role|occupation|trade) (do you have|is yours|do you work in|did you choose|have you got)?',
    '(tell me|can you tell me|may I ask|could you say|I wonder|do you mind telling me|I want to know) (what your job is|what you do|what you work as|what your role is|what you do for a living)?',
    'how do you (earn|make) (your|a) (living|money)?',
    '(tell me|say something|talk) about your (job|work|role|profession).',
    '(your job|your profession|your role|and your work)(, please|)?',
    '(what are you by|describe your) profession?',
    'what (is it that you do|would you call your job|have you become|does your work look like)?',
  ],
  howAreYou: [
    '(how are you|how are you doing|how are you today|how is it going|how do you do|how do you feel|are you well)(?|)',
    '(hello|hi|hey)(,|!) how are you(| today| doing)?',
    "(how's it going|how's life|how have you been|is everything fine|how is your day)(?|)",
  ],
  thanks: [
    '(thanks|thank you|many thanks|thank you very much|thanks a lot|thank you so much)(|.|!)',
    '(thanks|thank you) for (your help|the answer|everything|helping me|that)(|.|!)',
    '(that helped|that was helpful|great, thanks|ok thanks|perfect, thank you)(|.|!)',
  ],
  bye: [
    '(bye|goodbye|good bye|see you|see you later|bye bye|farewell|so long|see you tomorrow)(|.|!)',
    '(I have to go|I must go|I am leaving|that is all for today|I am done)(|.|!|, bye)',
  ],
} as const;

/** What it is asked about what its system prompt may say. */
export const traitQuestions: Readonly<Record<TraitTopic, readonly string[]>> = {
  home: [
    '(where do you live|where is your home|where are you from|where do you come from|where are you at home)?',
    '(which|what) (city|town|place) (do you live in|are you from|do you come from|is your home|do you call home)?',
    '(tell me|can you tell me|may I ask|I wonder|do you mind saying) (where you live|where you are from|where your home is|which town you live in)?',
    '(what is your|tell me your) (city|home town|home)?',
    'in (which|what) (city|town|place) (do you live|are you at home)?',
    '(and your home|your home town|your city)?',
  ],
  age: [
    '(how old are you|what is your age|how old may you be|which age do you have|how many years old are you)?',
    '(tell me|can you tell me|may I ask|I wonder|do you mind saying) (how old you are|your age|what your age is)?',
    '(your age|and your age|at what age are you)(, please|)?',
  ],
  employer: [
    '(who do you work for|for whom do you work|where do you work|which company do you work for|who is your employer)?',
    '(which|what) (company|firm|employer) (do you work for|are you with|employs you|pays you)?',
    '(tell me|can you tell me|may I ask|I wonder) (who you work for|where you work|which company you work for|who your employer is)?',
    '(your employer|your company|the name of your company)(, please|)?',
  ],
  hobby: [
    '(what is your hobby|do you have a hobby|which hobby do you have|what are your hobbies|what is your pastime)?',
    'what do you (do|like to do|enjoy) (in your free time|for fun|at weekends|after work)?',
    '(tell me|can you tell me|may I ask|I wonder) (what your hobby is|what you do for fun|what you do in your free time|your hobby)?',
    'how do you spend your (free time|weekends|evenings)?',
  ],
  colour: [
    '(what is|which is|tell me) your (favourite|favorite) (colour|color)?',
    '(which|what) (colour|color) do you (like best|like most|love|prefer|like)?',
    '(can you tell me|may I ask|I wonder) (which (colour|color) you like best|what your (favourite|favorite) (colour|color) is)?',
  ],
  food: [
    '(what is|which is|tell me) your (favourite|favorite) (food|dish|meal)?',
    '(which|what) (food|dish|meal) do you (like best|like most|love|prefer)?',
    'what do you (like to eat|love to eat|like eating|eat most gladly)?',
    '(can you tell me|may I ask|I wonder) (which food you like best|what your (favourite|favorite) food is)?',
  ],
};
