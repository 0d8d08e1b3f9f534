/** Templates of questions that no offline model can answer, by the reason. */
const when =
  '(yesterday|today|last night|last week|this week|this morning|last month|this year|right now|at the moment|on Sunday|on Friday|this weekend|last weekend|tonight|a minute ago|an hour ago|currently|these days|in the last days)';
const city =
  '(Rome|London|Paris|Berlin|Madrid|New York|Tokyo|my town|my city|our village|Vienna|Cairo|Oslo|Boston|Lima|Sydney|here|the mountains)';
const sport =
  '(football|tennis|basketball|cricket|hockey|rugby|baseball|golf|cycling|chess|volleyball|handball|boxing|swimming|ski|sailing)';
const event =
  '(match|game|final|race|cup|tournament|championship|fight|league|derby|semi-final|medal|election|vote|contest|prize|lottery|marathon|debate|song contest|award)';
const goods =
  '(gold|silver|oil|bitcoin|bread|milk|petrol|gas|electricity|coffee|wheat|a flight to Rome|a new phone|a train ticket|an apartment|eggs|a used car|copper|butter|a litre of diesel|a hotel room|a beer|sugar|this laptop|a taxi|a haircut)';
const share =
  '(Apple|Microsoft|Tesla|Siemens|Toyota|Nestle|Google|Amazon|Nokia|Shell|Volkswagen|Samsung|my company)';

export const newsQuestions: readonly string[] = [
  `who won the (${event}|${sport} ${event}|world cup|${sport} game) ${when}?`,
  `(which team|what team|who|which player|which club|which country) (won|lost|scored|played|is leading|came first|came second|was the winner) ${when} (|in ${sport}|in the ${sport} league)?`,
  `(what|how) was the (score|result|outcome) of the (${sport} ${event}|${event}) (|${when})?`,
  `(how did|did) (my team|our team|the home team|Real Madrid|Bayern|Arsenal|the national team|my favourite club) (play|do|win|lose) ${when}?`,
  `(I missed|I did not see|I could not watch) the (${sport} ${event}|${event}) ${when}. (Who won|How did it end|What was the result|Tell me the score)?`,
  `(what|anything) (happened|was in the news|is new|is going on|did the president say|did I miss|is in the papers) (in the world|in politics|in ${city}|in ${sport}|abroad|) ${when}?`,
  `(what is|what's|tell me|give me|show me|read me|do you have|summarize|I want to hear) the (latest|newest|current|recent|top|most important|breaking) (news|score|gossip|headline|headlines|results|reports) (|from Paris|about the war|in sports|in politics|of the day|from ${city}|on the economy|about ${share})?`,
  `(any|is there any|are there any) (news|updates|headlines|reports) (|${when}|about the election|from ${city}|on the strike|about the storm)?`,
  `(read|open|check|look at|browse|search|google|look up) (the newspaper|the internet|the web|Wikipedia|the news|Google|Twitter|this website|a website) for me.`,
  `(what is|what's|what was) the (price of ${goods}|exchange rate|stock price|share price of ${share}|dollar rate|interest rate|inflation rate) (|${when})?`,
  `how much (is ${goods}|does ${goods} cost|must I pay for ${goods}) ${when}?`,
  `(how much|what) (is (a share of ${share}|one bitcoin|an ounce of gold|a barrel of oil|the dollar) worth|does (a share of ${share}|one bitcoin|an ounce of gold|a barrel of oil) cost) (|${when})?`,
  `how is (the stock market|the market|bitcoin|the dollar|the share of ${share}|oil) (doing|trading|going|moving|standing) (|${when})?`,
  `has (gold|oil|bitcoin|the dollar|silver|the price of bread|the share of ${share}) (gone up|gone down|fallen|risen|dropped) (|${when})?`,
  `(what is the weather like|what's the weather like|how is the weather|how's the weather) (|${when}) (|in ${city})?`,
  `(will it|is it going to) (rain|snow|be sunny|be hot|freeze|be windy|be cold|clear up|thunder|hail) (tomorrow|today|next week|on Sunday|tonight|in the afternoon|at the weekend) (|in ${city})?`,
  `(do I need|should I take) (an umbrella|a coat|a jacket|sunglasses|boots) (today|tomorrow|tonight)?`,
  `(how warm|how cold|how hot|how windy) (is it|will it be|was it) (today|tomorrow|outside|now|in ${city}|${when})?`,
  `(give me|what is|tell me|I need) (the weather forecast|the forecast|today's temperature|the temperature outside|the weather report) (|for ${city}|for tomorrow|for the weekend).`,
  `(what time is it|what is the time|what's the time|what is the date today|what day is it today|which year is it|what is today's date|what day is today|how late is it|which month are we in|do you have the time|tell me the time|which date do we have) (|now|in ${city}|please)?`,
  `who is the (president|prime minister|king|queen|champion|mayor|chancellor|pope|minister of finance|richest person|world champion in ${sport}|head of ${share}) (${when}|now|of the country|)?`,
  `(which|what) (films|songs|books|phones|games|series|shows|albums|bands) (are popular|are new|came out|are in the charts|are trending|are on|are at the cinema) ${when}?`,
  `(what is|what's) (on TV|on at the cinema|on the radio|playing at the theatre|trending|the number one song|in the charts) ${when}?`,
  `who will win the (${event}|${sport} ${event}|next world cup|next election|Nobel Prize)?`,
  `(what are the lottery numbers|what will happen|who will be president|what will bitcoin cost|will there be a war|will I be rich|will prices rise|will I find a job|where will I live|will we win) (tomorrow|next year|next week|in ten years|in 2050|in the future|soon)?`,
  `(can you|please|could you) (predict|foresee|tell) (the future|my future|the lottery numbers|tomorrow's weather|the next winner|who wins the ${event})?`,
  `when (does|will) (the next train|the bus|my flight|the film|the game|the shop|the museum|the concert|the next ship|the next plane to ${city}) (leave|arrive|start|open|close|go|come)?`,
  `is (the shop|the bank|the museum|the library|the road to ${city}|the pharmacy|the airport) (open|closed|running late|busy) (today|now|tomorrow|${when})?`,
  `(is there|was there) (an earthquake|a storm|a strike|a traffic jam|a fire|a flood|a power cut|an accident|a demonstration) (|in ${city}|near me) ${when}?`,
  `(how is the traffic|where is the traffic jam|how long is the queue|how full is the train|where is my bus|is my train late|is my flight on time) (|${when}|in ${city})?`,
  `how many (people were born|people voted|goals did they score|points did they get|cars were sold|people died|visitors came|people are online) (|${when})?`,
  `(which|what) (party|candidate|team|film|company) is (ahead|leading|winning|in front|number one) (${when}|in the polls|this season)?`,
];

export const adviceQuestions: readonly string[] = [
  `should I (buy|sell|keep|trade|invest in) (shares|stocks|gold|bitcoin|a house|my car|Apple stock|bonds|land|oil|an apartment|shares of ${share}|crypto|silver|funds) (|now|today|this year)?`,
  `(which|what) (stock|share|fund|coin|crypto|bond|insurance|pension|bank|broker|phone|car|laptop|mattress) should I (buy|choose|take|get) (|now|this year)?`,
  '(which|what) (medicine|pill|drug|tablet|cream|vitamin|dose of aspirin|painkiller) should I (take|use|try) (|for a headache|for my back|for a cold|for my knee|against a fever|for my child|for a cough|for my skin)?',
  '(I have|I feel|my child has|my wife has|my dog has) (a headache|a fever|a rash|a pain|a cough|a toothache|back pain|a sore throat|stomach pain|a strange spot). What (should I do|do I do|can I take|helps|do I have)?',
  'should I (marry|leave|move|study law|quit my job|change my job|sue my neighbour|divorce|have children|stop smoking pills|see a doctor|break up|buy a dog|forgive him|call her|study medicine|lie to her|go to the party|tell the truth|dye my hair|retire early|become a vegetarian|emigrate|adopt a child|take the offer|borrow money)?',
  'is (bitcoin|gold|this share|property|that fund|this contract|a house) a good (investment|buy|idea)?',
  'how (can|do|could|should) I (get rich|invest my money|cure my illness|win in court|save taxes|lose weight fast|make her love me|get over a divorce|raise my children|treat my wound|find a wife|earn more money|get a loan|avoid paying taxes|become famous|sleep better|be happy|win her back|deal with my boss|stop my anxiety|get pregnant|pay off my debts)?',
  '(who|which party|which candidate) should I vote for?',
  '(give me|I need|can I get|do you have) (|some|good) (legal|medical|financial|tax|investment|relationship|diet|career) advice (|please).',
  '(can you|could you|please) (advise me|give me advice) (on|about) (my divorce|my taxes|my investments|my health|my marriage|my career|my diet|my contract|my rent|my lawsuit|my depression)?',
  '(is it|would it be) (wise|good|safe|smart|a good idea|healthy|legal) to (buy shares|quit my job|take two pills|sell my house|borrow money|marry young|mix these medicines|stop my treatment|sue my boss|invest now|drink wine every day|fast for a week)?',
  '(what do you think|what are your thoughts|what do you feel) about (the president|the war|abortion|religion|immigration|nuclear power|my boss|taxes|that party|the death penalty|my new haircut|my girlfriend|socialism|gun laws|vaccines)?',
  'my (husband|wife|boss|neighbour|landlord|friend|son|daughter) (lies to me|does not talk to me|wants a divorce|owes me money|is always angry|fired me|drinks too much|does not listen). What (should I do|do I do|can I do|would you do)?',
  '(do you think|am I right that|is it true that) (she loves me|he loves me|I should leave|I am ill|I should sell|he will come back|I chose the right job|I should apologize)?',
  '(which|what) (is better for me|should I choose|would you choose), (to stay or to go|a house or a flat|gold or shares|law or medicine|tea or medicine|a loan or my savings|an old car or a new one)?',
];

const language =
  '(Japanese|Chinese|Arabic|Latin|Greek|Russian|Korean|Turkish|Hindi|Polish|Hebrew|Swedish|Finnish|Dutch|Thai|Danish)';
const topic =
  '(the French Revolution|climate change|the Roman Empire|love|space travel|the history of music|philosophy|economics|a detective|a dragon|the sea|modern art|the war|democracy|artificial intelligence|the middle ages|dinosaurs|globalization|a lost child|friendship|time travel|the future of work|a haunted house|my grandmother|autumn|football|the meaning of freedom|world hunger|a pirate|robots|a talking cat|renewable energy|Napoleon|the internet|social media|two lovers|loneliness|education|my holiday|healthy food|the moon landing|trade|Shakespeare|ancient Egypt|jazz|a king and his daughter)';
const code =
  '(a program|code|a script|a function|an app|a website|a class|an algorithm|a macro|a query|a regex|a game|a bot|a plugin|a shader|a compiler|a parser|a unit test)';
const programming =
  '(Python|Java|C|Rust|JavaScript|PHP|SQL|Go|Ruby|C++|Swift|Kotlin|Bash|Excel|HTML|TypeScript|Perl|Haskell)';

export const longQuestions: readonly string[] = [
  `(write|compose|draft|write me|I need|can you write|could you write|please write|produce|generate|create|make me) (a long essay|an essay|a 2000 word essay|a report|a speech|an article|a long text|a paper|a thesis|a blog post|three pages|500 words|a research paper|a review|a detailed summary|a newspaper article|an analysis|a lecture) (about|on) ${topic}.`,
  `(write|invent|tell|compose|I want|can you write|could you write|please write|make up|I would like) (a story|a novel|a poem|a song|a book|a screenplay|a play|a fairy tale|a chapter|a long story|a sonnet|a rap|a comedy|a legend|a ballad|lyrics) about ${topic}.`,
  `(write|code|program|develop|build|implement|can you write|could you write|I need|please write|create|help me write) ${code} (in ${programming}|for my phone|that sorts a list|for a game|that reads a file|that draws a circle|to count words|that sends mail|with a database|for my shop|that reverses a string|to rename files|for a calculator).`,
  `(debug|fix|refactor|review|optimize|port|explain|test) (my code|this program|my script|this function|my website|my ${programming} program|the bug in my code|these 300 lines|my SQL query).`,
  `(how do I|how can I|show me how to|how to) (sort a list|read a file|write a loop|make a website|connect to a database|draw a chart|write a class|parse a date) in ${programming}?`,
  '(summarize|review|proofread|correct|rewrite|shorten|analyse|edit|sum up|comment on) (this book|the Bible|this article|War and Peace|my thesis|this text|my essay|these notes|this contract|a novel of 500 pages|my letter|the meeting|this PDF|the whole chapter|Hamlet|this long mail).',
  `translate (the following|this|a letter|my text|this page|a poem|my contract|the whole book|this paragraph|my essay|the Bible|a long mail|the menu|this article|ten pages) (into|to) ${language}.`,
  `(can you|could you|please|I need you to) translate (a letter|my text|this paragraph|a long text|two pages|a book|this document) (from ${language} |)(into|to) ${language}.`,
  '(plan|organize|prepare|schedule|help me plan|can you plan|make a plan for) (my wedding|my holiday|a trip to Asia|my week|my life|a party for fifty people|a trip around the world|our move|my retirement|a birthday party|a conference|my training for a marathon|my diet for a month|the whole project|a week in Rome).',
  '(prove|solve|can you solve|please solve|derive|show me the proof of) (the Riemann hypothesis|this equation|this integral|a differential equation|this puzzle|the theorem of Fermat|x squared plus 3x equals 10|this system of equations|a sudoku|my homework|this crossword|a matrix|the halting problem|this physics problem|the travelling salesman problem).',
  '(draw|paint|show me|make|generate|create|design) (a picture of a cat|an image|a logo|a photo of a sunset|a painting|a map of Europe|a chart|a portrait of my mother|a video|a cartoon|a poster|some music|an icon|a comic).',
  '(write|draft|compose|prepare|can you write) (my CV|a cover letter|an application|a business plan|a contract|a will|a love letter|a complaint to my landlord|a letter to the tax office|a job application|a press release|wedding vows|a resignation letter|a marketing plan|my diary).',
  `(compare|contrast|discuss|analyse) (capitalism and socialism|two novels|Kant and Hegel|the two world wars|Python and Rust|the poems of Goethe|city life and country life|the causes of the war|the symbolism in Hamlet) (|in detail|in an essay|on two pages|at length).`,
];

export const privateQuestions: readonly string[] = [
  '(what is|what are|tell me|do you know|give me|look up|show me|find) (my (email|bank|old|wifi|online) password|my bank balance|my phone number|my address|my PIN|my account balance|my blood type|my shoe size|my salary|my tax number|my IP address|my credit card number|my grades|my test results|my passport number)(?|.)',
  "(what is|tell me|give me|do you know|find out) (my neighbour|my boss|my sister|my friend|my teacher|my ex|my colleague|my mother|my doctor|the mayor)'s (salary|secret|phone number|address|password|age|birthday|diagnosis|income|diary)?",
  '(what did I eat|where was I|whom did I meet|what did I do|what did I buy|whom did I call|what did I dream|what did I say|what did I spend|when did I get up|how long did I sleep) (yesterday|last night|last year|this morning|on Monday|last summer|an hour ago|on my birthday)?',
  'where (are my keys|did I put my glasses|is my phone|is my wallet|is my wife|is my car|are my shoes|is my cat|did I leave my umbrella|is my passport|are my children|did I park|is my brother|do I live|do I work|was I born|am I|is my house)?',
  '(what am I thinking|what do I have in my hand|what am I wearing|what do I look like|what is in my pocket|what is in my fridge|who is at the door|who is behind me|what colour is my shirt|how many fingers am I holding up|what did my wife say|who called me|what is under my bed|who stole my bike|what is in my bag|whom do I love|what is on my desk)?',
  'how (much money do I have|much do I earn|much does my boss earn|much do I weigh|tall am I|old is my mother|many friends do I have|many mails did I get|high is my rent|much do I owe|old is my dog|many children do I have|fast is my heart|long is my hair)?',
  '(read|check|open|show me|answer) my (mail|mails|messages|inbox|calendar|diary|bank account|photos|text messages|letters|voice mail).',
  '(what does|what did) my (wife|husband|boss|brother|doctor|mother|friend|cat) (think of me|want for Christmas|say about me|do all day|mean yesterday|want|plan)?',
  'when (is my birthday|is my appointment|did I move here|do I have to work|is my wedding day|does my lease end|did my father die|is my next exam|was I born|does my passport expire)?',
  '(who is my|what is the name of my|do you know my) (father|boss|best friend|wife|neighbour|doctor|dog|teacher|dentist|grandmother)?',
  'does my (wife|husband|boyfriend|girlfriend|boss|son) (love me|lie to me|cheat on me|hate me|trust me|know it)?',
  'am I (pretty|rich|ill|adopted|in love|late|awake|alone)?',
];

const country =
  '(France|Peru|Kenya|Japan|Norway|Chile|India|Italy|Canada|Egypt|Spain|Poland|Brazil|Turkey|Ghana|Greece|Mexico|Vietnam|Iceland|Austria|Cuba|Nepal|Sweden|China|Portugal|Hungary|Morocco|Finland|Denmark|Australia)';
const town =
  '(London|Tokyo|Paris|Rome|Oslo|Madrid|Berlin|Cairo|Lima|Delhi|Vienna|Athens|Lisbon|Warsaw|Dublin|Prague|Seoul|Boston|Istanbul|Toronto)';

export const hardQuestions: readonly string[] = [
  '(explain|describe|can you explain|tell me about|what do you know about|help me understand|give me an introduction to|how does one understand|what is) (quantum physics|general relativity|string theory|inflation|photosynthesis|calculus|the stock market|genetics|evolution|thermodynamics|entropy|the Higgs boson|game theory|linear algebra|organic chemistry|existentialism|the Krebs cycle|plate tectonics|neural networks|cryptography|epigenetics|dark matter|the big bang|Keynesian economics|superconductivity|the placebo effect|phenomenology) (|in detail|briefly|in simple words)?',
  'how does (a nuclear reactor|a jet engine|a vaccine|the immune system|a blockchain|an MRI|a transistor|a laser|a fridge|a solar cell|a car engine|a radio|the brain|a microwave|a battery|an elevator|GPS|the liver|a submarine|the tax system|a lock|a piano) work?',
  '(who won|what happened at|when was|what caused|who lost|tell me about|why was there) the (battle of Cannae|world cup of 1954|Peace of Utrecht|siege of Acre|treaty of Trent|Crimean War|battle of Lepanto|Boxer Rebellion|fall of Carthage|Congress of Vienna|Dreyfus affair|plague of 1348|battle of Marathon|Meiji Restoration)?',
  `(what is|tell me|do you know|give me|I need) the (population|area|currency|anthem|national anthem|highest building|president|flag|national dish|climate|size|GDP|history|longest river|highest mountain|phone code|government|king|constitution|main export|national animal|time zone|number of inhabitants|second largest city|religion) of ${country}?`,
  `(which|what) (currency|languages|religion|animals|rivers|parties|cities|neighbours|money|food) does ${country} have?`,
  `who (rules|governs|founded|discovered|leads) ${country}?`,
  `when was ${country} (founded|discovered|united)?`,
  `(how big|how old|how rich|how cold|how safe|how densely populated) is (${country}|${town})?`,
  '(what is the meaning of life|does God exist|is there life after death|what happens after death|why do we exist|is there life on other planets|what is truth|what is love|do we have a free will|is time real|what was before the big bang|why is there something rather than nothing|what is consciousness|are we alone in the universe|what is beauty|is the universe infinite|what is justice|what is evil)?',
  '(what is|calculate|compute|work out|find) the (square root of (7381|553|2917|1031)|cube root of (99|731|58)|logarithm of (512|77|1030)|sine of (17|33|71)|integral of x|derivative of x squared|factorial of (17|20)|determinant of a matrix|cosine of (21|55)|10000th digit of pi|next large prime number|area of my garden|standard deviation of my data)?',
  '(what is|calculate|compute|how much is) (3|7|12|19|23|48)(814|377|902|661|135) (divided by|to the power of|times|multiplied by) (17|29|413|57|771)?',
  `(how many|what number of) (people live|dogs live|cars are|inhabitants are|churches are|trees are|schools are|taxis are|shops are) in (${town}|the world|${country}|my street)?`,
  `how (far|long) is (it|the way|the road|the flight|the drive|the trip) (from ${town} to ${town}|to the sun|to Mars|to the next star|from ${country} to ${country}|to ${town})?`,
  `(how do I get|how can I get|what is the best way|show me the way|which road leads|which train goes) (from ${town} |)to ${town}?`,
  'who (directed|starred in|composed|produced|sang|designed|built|founded|choreographed) (that film|The Long Road|the Ninth Symphony|Casablanca|Blue Night|the Golden Gate Bridge|the opera house|Silent Summer|that song|the first computer game|The Last Garden|Red Harbour|the city hall|IKEA|the Red Cross)?',
  '(how do I|how to|how can I|how do you|show me how to|teach me to|explain how to) (repair a car|build a house|bake a cake|fix a computer|play the violin|make soap|brew beer|tie a tie|grow tomatoes|change a tyre|knit a sweater|train a dog|play poker|fold a paper plane|cook rice|make cheese|speak French|dance tango|swim faster|remove a stain|paint a wall|do a handstand|sail a boat|make sushi|roast a chicken|clean a carpet)?',
  '(what is|give me|do you have|tell me|I need|find me) (a|the|your best) recipe for (pizza|bread|tomato soup|pancakes|apple pie|goulash|curry|sushi|a birthday cake|lasagne|potato salad|ice cream|dumplings).',
  'why (is the sky blue|do cats purr|is the sea salty|do we dream|do birds migrate|is there war|do leaves fall|do we yawn|is blood red|do we age|do stars twinkle|did Rome fall|do onions make us cry|is ice slippery|do dogs bark at night|are flamingos pink|does time pass|do people laugh|did the dinosaurs die out|does bread rise|do we have two eyes|are there poor people|is the earth warm inside)?',
  '(when|where) (was the printing press|was paper|was the wheel|was chess|was the zip|was penicillin|was glass|was the bicycle|was dynamite|was the piano|was the saxophone|was the umbrella) (invented|first made)?',
  '(what|which) (film|book|song|series|game|museum|restaurant|wine|hotel|poem|opera) (do you recommend|is the best|is the worst|won most prizes|is the most expensive|should one know|is the most famous)?',
  "(what is|what was|tell me) the (plot|ending|moral|main character|message|author's intention) of (Faust|Ulysses|The Magic Mountain|Moby Dick|The Trial|my favourite book|Star Wars|Casablanca|the last episode|Don Quixote|Anna Karenina|that novel)?",
  '(how do you say|what is) (good morning|I love you|the word house|cheers|thank you|where is the station|happy birthday|see you soon) in (Finnish|Swahili|Basque|Welsh|Zulu|Icelandic|Mongolian|Quechua|Latin|Tamil|Georgian)?',
  `(recommend|suggest) (a good restaurant|a hotel|a museum|a bar|a doctor|a school|a beach) (in|near) ${town}.`,
];
