/** How JSON is asked for; TEXT stands for the sentence, KEYS for the names of what is wanted. Templates for `vary`. */
export const requestsWithKeys: readonly string[] = [
  '(Extract|Get|Take|Pull out|Read|Find|Please extract|Give me|List) KEYS (as JSON|in JSON|as a JSON object|as json): TEXT',
  '(Extract|Get|Find|Give me|Show|Return|Collect|Please extract) KEYS: TEXT',
  '(Extract|Get|Take|Read) KEYS (from|out of) (this text|this|the text|this sentence|the following text|the sentence|this line): TEXT',
  'TEXT (Give me|Extract|Return|Write|I need|I want|Show me|Just|Only) KEYS (as JSON|in JSON|as a JSON object|as json).',
  'TEXT (Return|Extract|Give me|Find|Only) KEYS(.|, please.)',
  'TEXT (What are|What is|Tell me) KEYS? (Answer in JSON|JSON only|As JSON|JSON, please|Reply with JSON).',
  '(Give me|Make|Write|Build|Create|Produce|I need|Return) (a JSON object|JSON|a JSON record|an object) with KEYS (for|from|out of): TEXT',
  '(Write|Return|Answer with|Output|Reply with) JSON with (the keys |the fields |) KEYS: TEXT',
  '(Return|Use|Fill|Take) (the keys|the fields|these keys|only the keys|exactly the keys) KEYS: TEXT',
  'TEXT (Answer|Reply|Respond) (as|in|with) JSON with (the keys |the fields |) KEYS.',
  'TEXT (As JSON|In JSON|JSON) with (the keys |the fields |) KEYS(, please|).',
  'TEXT (Keys|Fields|Wanted|Needed): KEYS.',
  '(Keys|Fields|Wanted|JSON keys): KEYS. (Text|Sentence|Input|Message): TEXT',
  '(Text|Sentence|Input|Message|Note): TEXT (Keys|Fields|JSON keys): KEYS',
  'KEYS (as JSON|in JSON|as json|please|): TEXT',
  '(Turn|Convert|Change|Put) (this|the following|the text) into JSON with (the keys |) KEYS: TEXT',
  '(I need|I would like|I want|We need) KEYS (as JSON|in JSON|in a JSON object) (from|out of) (this|the text|this note): TEXT',
  '(Can you|Could you|Would you|Please) (extract|find|pick out|give me) KEYS (as JSON|)(? | in this text? | from this? )TEXT',
  '(Make a record|Make an entry|Fill in a form|Fill the form) with KEYS: TEXT',
  '(From|In) the (sentence|text|note|message) "TEXT" (extract|find|take|give me) KEYS (as JSON|).',
  '(What are|Find out|Look for) KEYS (here|in this text|in this sentence)(?|:) TEXT',
];

export const requestsWithoutKeys: readonly string[] = [
  '(As JSON|In JSON|JSON|To JSON|JSON please|json|As a JSON object): TEXT',
  'TEXT (As JSON, please.|As JSON.|In JSON, please.|JSON please.|Give me JSON.|JSON!|Return JSON.|To JSON.|json)',
  '(Turn|Convert|Change|Put|Translate|Transform|Make) (this|the following|this text|this sentence|the sentence|the text) (into|to) JSON: TEXT',
  '(Convert|Format|Write|Give|Return|Show|Print|Store|Save) (this |the text |it |)as JSON: TEXT',
  '(Extract|Collect|Get|Find|List|Give me|Take out) (the facts|the data|the details|all facts|the fields|the values|the information) (as JSON|in JSON|as a JSON object|): TEXT',
  '(Extract|Parse|Structure|Analyse|Read|Process|Digest) (this|the text|this text|this note|this sentence|the following|the data): TEXT',
  'TEXT (What is that as a JSON object?|How does that look as JSON?|What would that be in JSON?|Can you give me that as JSON?)',
  'TEXT (Extract the data.|Extract the facts.|Please structure this.|Parse that.|Make it JSON.|Make a record of it.|Turn that into JSON.)',
  '(Can you|Could you|Please|Would you) (turn|convert|put|make) (this|the following) into (JSON|a JSON object)(: |? )TEXT',
  '(I need|I want|I would like|We need|Give me|Make|Write) (JSON|a JSON object|a record|an object|a JSON record) (for|of|from|out of|about) (this|this text|the following|this note): TEXT',
  '(Make|Create|Build|Write|Produce) (a JSON object|JSON|a record|an entry) (from|for|out of): TEXT',
  '(Answer in JSON|Reply in JSON|JSON only|Only JSON|Respond with JSON|Use JSON|Output JSON)(. |: )TEXT',
  '(Text|Input|Note|Message|Sentence): TEXT (JSON|Output|As JSON|Result):',
  '(Fill in the form|Fill the fields|Fill the form|Make an entry): TEXT',
  'TEXT',
  'TEXT',
];

/** System prompts under which the text alone is sent. */
export const extractionPrompts: readonly string[] = [
  '(Answer|Reply|Respond|Always answer|Please answer) (in JSON|with JSON|only in JSON|only with JSON|in JSON only).',
  'You (answer|reply|respond) (with|in) JSON(| only| and nothing else).',
  '(Extract|Return|Write|Collect) (the facts|the data|the details|what the user says) (as|in) JSON.',
  'You (extract|read|collect) (facts|data|records) (from text|from what the user writes|) and (answer in|return|write) JSON.',
  'You are (a parser|an extractor|a form|a data assistant|a clerk who keeps records). (Answer in JSON|Return JSON|Output only JSON).',
  'Turn (every message|each message|what the user writes|the text) into (a JSON object|JSON).',
];

export const extractionPromptsWithKeys: readonly string[] = [
  '(Extract|Find|Return|Read) KEYS (as JSON|in JSON|from the text as JSON|from each message).',
  '(Answer|Reply) (in|with) JSON with (the keys |the fields |) KEYS.',
  'You (extract|collect|return|find) KEYS (as JSON|from text|from what the user writes).',
  '(Fill|Return) the (keys|fields) KEYS.',
];
