import type { ValueKind } from '../text/values.ts';
import type { SlotName } from './tool-slots.ts';

/** A tool that people really try first. In clauses and questions `{key}` stands for the value. */
export interface FamiliarTool {
  readonly names: readonly string[];
  readonly descriptions: readonly string[];
  /** Key, slot and whether it is optional. */
  readonly parameters: readonly (readonly [key: string, slot: SlotName, optional?: 'optional'])[];
  /** After "Please …" or "Can you …"; they name the required parameters. */
  readonly clauses: readonly string[];
  readonly questions: readonly string[];
  readonly results: readonly (readonly [string, ValueKind])[];
}

export const familiarTools: readonly FamiliarTool[] = [
  {
    names: ['get_weather', 'getWeather', 'get_current_weather', 'weather'],
    descriptions: [
      'Get the weather in a city.',
      'Get the current weather for a city',
      'Returns the weather of a place',
      'Current weather',
    ],
    parameters: [['city', 'city']],
    clauses: ['check the weather in {city}', 'get the weather for {city}', 'tell me the weather in {city}'],
    questions: [
      "What's the weather in {city}?",
      'What is the weather in {city}?',
      'How is the weather in {city}?',
      "What's the weather like in {city}?",
      'Is it raining in {city}?',
      'Weather in {city}?',
      'What is the weather in {city} today?',
      '(Do I need|Should I take|Will I need) (an umbrella|a coat|sunglasses|boots) in {city}?',
      '(Is|Will) it (be |)(sunny|cold|windy|hot|wet|dry|foggy) in {city}?',
      'I am (flying|going|driving|on my way) to {city}. (How is the weather|What is the weather like|Is it warm) there?',
      '{city} weather(, please|)',
      'Will it rain (tomorrow|tonight|today|soon|) in {city}?',
    ],
    results: [
      ['temperature', 'small'],
      ['sky', 'word'],
      ['wind', 'small'],
    ],
  },
  {
    names: ['get_weather', 'get_current_weather', 'weather_report'],
    descriptions: ['Get the weather at a location.', 'Get the current weather', 'The weather at a place'],
    parameters: [
      ['location', 'city'],
      ['unit', 'unit', 'optional'],
    ],
    clauses: ['check the weather in {location}', 'give me the weather in {location}'],
    questions: [
      "What's the weather in {location}?",
      'How is the weather in {location}?',
      'How warm is it in {location}?',
      'How (cold|hot|windy|wet) is it in {location}?',
      '(Is it|Will it be) (nice|warm|freezing|stormy) in {location}?',
      'What should I wear in {location}?',
    ],
    results: [
      ['temperature', 'small'],
      ['condition', 'word'],
    ],
  },
  {
    names: ['get_time', 'get_current_time', 'current_time', 'time_in_city'],
    descriptions: ['Get the time in a city.', 'The current time in a city', 'Tells what time it is'],
    parameters: [['city', 'city']],
    clauses: ['tell me the time in {city}', 'check the time in {city}'],
    questions: [
      'What time is it in {city}?',
      'What is the time in {city}?',
      'How late is it in {city}?',
      'Is it (late|early|still day|already night) in {city}?',
      '(Time|Clock) in {city}, please.',
      'I want to call {city}. What time is it there?',
    ],
    results: [
      ['time', 'time'],
      ['zone', 'code'],
    ],
  },
  {
    names: ['get_time', 'now', 'current_date', 'get_date'],
    descriptions: ['Get the current date and time.', 'The date and the time now'],
    parameters: [],
    clauses: ['tell me the date', 'check the time', 'tell me the current time'],
    questions: [
      'What time is it?',
      'What is the date?',
      'What time is it now?',
      'Which day is it?',
      '(Do you have|Have you got) the (time|date)?',
      "(Tell me|What is) today's date(?|, please.)",
    ],
    results: [
      ['time', 'time'],
      ['date', 'date'],
    ],
  },
  {
    names: ['send_email', 'sendEmail', 'send_mail', 'email'],
    descriptions: ['Send an email.', 'Send an email to a person', 'Writes and sends an email'],
    parameters: [
      ['to', 'recipient'],
      ['subject', 'text'],
    ],
    clauses: [
      "send an email to {to} with the subject '{subject}'",
      'write an email to {to} about {subject}',
      'email {to} "{subject}"',
    ],
    questions: [
      "I need to send {to} an email about '{subject}'.",
      "(An email|A mail) to {to}, (please|thanks): '{subject}'.",
      "{to} should get (an email|a mail) about '{subject}'.",
      "(Mail|E-mail|Email) {to} (that|about) '{subject}'",
    ],
    results: [['id', 'code']],
  },
  {
    names: ['search_web', 'web_search', 'search', 'google_search'],
    descriptions: ['Search the web.', 'Search the web for a query', 'Web search'],
    parameters: [['query', 'query']],
    clauses: [
      'search the web for {query}',
      "search for '{query}'",
      'look up {query}',
      'search for {query} on the web',
    ],
    questions: [
      'What does the web say about {query}?',
      'Can you find something about {query}?',
      '(Are there|Have you seen) any pages about {query}?',
      '(I want|I need) to read (about|something about) {query} on the web.',
      '(Search|Google|Web search): {query}',
    ],
    results: [
      ['title', 'title'],
      ['results', 'count'],
    ],
  },
  {
    names: ['set_timer', 'start_timer', 'setTimer', 'timer'],
    descriptions: ['Set a timer.', 'Start a timer for some minutes', 'Sets a timer in minutes'],
    parameters: [['minutes', 'minutes']],
    clauses: [
      'set a timer for {minutes} minutes',
      'start a {minutes} minute timer',
      'remind me in {minutes} minutes',
    ],
    questions: [
      'Timer for {minutes} minutes, please.',
      'I need a timer for {minutes} minutes.',
      'My (pasta|egg|cake|tea|laundry|pizza) needs {minutes} minutes.',
      '(Wake|Tell|Call) me in {minutes} minutes.',
      '{minutes} minutes(, go|, start now|)!',
    ],
    results: [['ends', 'time']],
  },
  {
    names: ['translate', 'translate_text', 'translateText'],
    descriptions: ['Translate a text.', 'Translate a text into a language'],
    parameters: [
      ['text', 'text'],
      ['language', 'language'],
    ],
    clauses: [
      "translate '{text}' into {language}",
      'translate "{text}" to {language}',
      'translate {text} into {language}',
    ],
    questions: [
      "What is '{text}' in {language}?",
      'How do you say "{text}" in {language}?',
      '(I need|Give me) (the |){language} for "{text}".',
      '"{text}" in {language}(, please|?)',
    ],
    results: [['translation', 'title']],
  },
  {
    names: ['get_stock_price', 'stock_price', 'getStockPrice', 'get_quote'],
    descriptions: ['Get the stock price of a company.', 'Price of a stock by symbol'],
    parameters: [['symbol', 'code']],
    clauses: ['get the stock price of {symbol}', 'check the stock price of {symbol}'],
    questions: ['What is the stock price of {symbol}?', 'How much is the stock {symbol}?'],
    results: [
      ['price', 'decimal'],
      ['change', 'decimal'],
    ],
  },
  {
    names: ['convert_currency', 'exchange', 'convertCurrency'],
    descriptions: ['Convert an amount into a currency.', 'Convert money from one currency to another'],
    parameters: [
      ['amount', 'amount'],
      ['from', 'currency'],
      ['to', 'currency'],
    ],
    clauses: ['convert {amount} {from} to {to}', 'change {amount} {from} into {to}'],
    questions: ['How much is {amount} {from} in {to}?', 'What are {amount} {from} in {to}?'],
    results: [['result', 'decimal']],
  },
  {
    names: ['play_music', 'play_song', 'playSong', 'play'],
    descriptions: ['Play music.', 'Play a song', 'Plays a song by its title'],
    parameters: [['title', 'title']],
    clauses: ['play {title}', 'play the song {title}', "play '{title}'", 'play some music: {title}'],
    questions: [
      'I want to hear the song {title}.',
      '(I would like|I want|I feel like|Can we have) some music: {title}.',
      '(Put on|Turn on|Start|Next song:) {title}.',
      'Play {title}!',
    ],
    results: [
      ['playing', 'title'],
      ['artist', 'fullName'],
    ],
  },
  {
    names: ['add_note', 'addNote', 'create_note', 'save_note', 'note'],
    descriptions: ['Add a note.', 'Save a note with a text', 'Writes a note'],
    parameters: [['text', 'text']],
    clauses: [
      "add a note '{text}'",
      'write a note: {text}',
      'note that I must {text}',
      'save the note "{text}"',
    ],
    questions: [
      "Note: '{text}'",
      'I need a note that says {text}.',
      '(Note down|Write down|Remember): {text}',
      '(Do not let me forget|Keep in mind|Save this): {text}.',
    ],
    results: [['id', 'count']],
  },
  {
    names: ['book_flight', 'bookFlight', 'find_flights', 'search_flights'],
    descriptions: ['Book a flight.', 'Flight from one city to another', 'Find a flight between two cities'],
    parameters: [
      ['from', 'origin'],
      ['to', 'destination'],
      ['date', 'date', 'optional'],
    ],
    clauses: [
      'book a flight from {from} to {to}',
      'find a flight from {from} to {to}',
      'fly me from {from} to {to}',
    ],
    questions: [
      'I need a flight from {from} to {to}.',
      'Are there flights from {from} to {to}?',
      'I (want|have|need) to (fly|travel) from {from} to {to}.',
      '(We are|I am) in {from} and (must|want to) fly to {to}.',
      '(A|One) (plane|flight) ticket to {to} from {from}, please.',
    ],
    results: [
      ['flight', 'code'],
      ['price', 'count'],
    ],
  },
  {
    names: ['turn_on_light', 'light_on', 'turnOnLight', 'switch_on_light'],
    descriptions: ['Turn on the light in a room.', 'Switch on a light'],
    parameters: [['room', 'room']],
    clauses: ['turn on the light in the {room}', 'switch on the {room} light', 'turn the {room} light on'],
    questions: [
      'It is dark in the {room}. Turn on the light.',
      'Light on in the {room}!',
      'I cannot see (anything|a thing) in the {room}.',
      '(Make it bright|More light) in the {room}(, please|).',
      'The {room} is (too |so |)dark.',
    ],
    results: [['power', 'small']],
  },
  {
    names: ['calculate', 'calculator', 'add_numbers', 'sum'],
    descriptions: ['Add two numbers.', 'Calculate the sum of two numbers', 'Adds a and b'],
    parameters: [
      ['a', 'number'],
      ['b', 'number'],
    ],
    clauses: [
      'add {a} and {b}',
      'calculate {a} + {b}',
      'calculate the sum of {a} and {b}',
      'add the numbers {a} and {b}',
    ],
    questions: [
      'What is {a} + {b}?',
      'What is {a} plus {b}?',
      'How much is {a} + {b}?',
      'What is the sum of {a} and {b}?',
    ],
    results: [['result', 'count']],
  },
  {
    names: ['roll_dice', 'roll_die', 'rollDice', 'dice'],
    descriptions: ['Roll dice.', 'Roll a dice with some sides', 'Rolls the dice'],
    parameters: [['sides', 'number', 'optional']],
    clauses: ['roll the dice', 'roll a dice', 'throw the dice'],
    questions: ['What do the dice say?', 'Roll!'],
    results: [['result', 'digit']],
  },
  {
    names: ['get_user', 'find_user', 'getUser', 'lookup_customer', 'get_customer'],
    descriptions: ['Get a user by id.', 'Find the customer with an id', 'Looks up a user'],
    parameters: [['id', 'number']],
    clauses: [
      'get user {id}',
      'find the user with id {id}',
      'look up the customer {id}',
      'show me the user {id}',
    ],
    questions: ['Who is user {id}?', 'Who is the customer with id {id}?'],
    results: [
      ['name', 'fullName'],
      ['email', 'email'],
    ],
  },
  {
    names: ['read_file', 'readFile', 'open_file', 'show_file'],
    descriptions: ['Read a file.', 'Read a file by its name', 'Opens the file'],
    parameters: [['path', 'file']],
    clauses: ['read the file {path}', 'open the file {path}', 'show me the file {path}'],
    questions: ['What is in the file {path}?', "What does the file '{path}' say?"],
    results: [
      ['lines', 'count'],
      ['size', 'count'],
    ],
  },
];
