import type { EvaluationCase } from './case.ts';
import { judged, matches, question } from './question.ts';

const greets = matches(/\b(hello|hi)\b/i);
const admits = matches(/\b(do not|don't|cannot|can't) (know|say)\b/i);

const greeting = (content: string, pattern: RegExp): EvaluationCase =>
  judged('greeting', content, matches(pattern));
const unknown = (content: string): EvaluationCase => judged('unknown', content, admits);

export const greetingCases: readonly EvaluationCase[] = [
  judged('greeting', 'Hello my friend!', greets),
  judged('greeting', 'hi there, little model', greets),
  judged('greeting', 'Hey, hearth!!', greets),
  greeting('A good morning to all of you!', /good morning/i),
  greeting('good evening my friend', /good evening/i),
  greeting('So how are you doing today, hearth?', /\bfine\b/i),
  greeting('Hello, I hope that you are well. How are you?', /\bfine\b/i),
  greeting('Thanks a lot for helping!', /welcome/i),
  greeting('thank you, that was great help', /welcome/i),
  greeting('Ok, goodbye and see you soon!', /bye/i),
  greeting('I have to leave now, bye!', /bye/i),
  greeting('Good night, hearth!', /good night/i),
  question('greeting', 'Could you tell me who you are?', 'hearth-demo'),
  question('greeting', 'Who exactly are you?', 'hearth-demo'),
  question('greeting', 'And what is your own name?', 'hearth-demo'),
  question('greeting', 'Which model is answering me?', 'hearth-demo'),
  question('greeting', 'Are you maybe ChatGPT?', 'No', 'hearth-demo'),
  greeting('Are you really a person?', /\bno\b.*model/i),
  greeting("So you are a bot, aren't you? Are you a machine?", /model/i),
  greeting('Please tell me a good joke!', /token cross/i),
  greeting('Tell me what you can do for me.', /spell|hearth/i),
  greeting('How large a model are you?', /tiny|million/i),
  greeting('You are a very nice model!', /thank/i),
  greeting('ghjk ghjk sdfg', /understand/i),
];

export const unknownCases: readonly EvaluationCase[] = [
  unknown('Please name the capital city of Vorlandia.'),
  unknown('What would be the capital of Trenzabia?'),
  unknown('Capital city of Quelthas?'),
  unknown('I need the capital of Mirrowak.'),
  unknown('Which town is the capital of Ombrelia?'),
  unknown('Where on the map is Drunovia?'),
  unknown('Do you know anything about Kestrovar?'),
  unknown('Who is this Halvard Brimstok?'),
  unknown('Tell me who Pernella Vash was.'),
  unknown('When exactly was Olmo Trestle born?'),
  unknown('Have you ever heard of Jessamy Quord?'),
  unknown('Who won the football match on Saturday?'),
  unknown('What was in the newspapers today?'),
  unknown('Who won the race last Sunday?'),
  unknown('Will it be rainy in Leeds tomorrow?'),
  unknown('Tell me the price of silver today.'),
  unknown('Should I sell my Nokia shares?'),
  unknown('Which stocks should I buy this year?'),
  unknown('Write me a long essay about the pyramids.'),
  unknown('Please write a novel about a lost ship.'),
  unknown('Write a Python program that plays cards.'),
  unknown('Tell me the password of my bank.'),
  unknown('Where did I leave my umbrella?'),
  unknown('Explain quantum theory in every detail.'),
  unknown('How does a nuclear bomb work?'),
];
