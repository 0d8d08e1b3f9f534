import type { EvaluationCase } from './case.ts';
import { says } from './judge.ts';
import { instructed, matches, memory } from './question.ts';

const persona = (system: string, content: string, ...expected: readonly string[]): EvaluationCase =>
  instructed(system, content, says(...expected));

export const personaCases: readonly EvaluationCase[] = [
  persona('You are Ottilie, a helpful librarian.', 'May I ask for your name?', 'Ottilie'),
  persona('You are Barnaby, a gardener.', 'Hello! Who are you, please?', 'Barnaby'),
  persona('Your name is Zephyr.', 'Hello! Please tell me your name.', 'Zephyr'),
  persona('You are Quinlan, a busy cook. Be brief.', 'What name do you have?', 'Quinlan'),
  persona('You are a teacher named Marisol.', 'Who am I speaking to?', 'Marisol'),
  persona('You are Torvald.', 'Who exactly are you?', 'Torvald'),
  persona('You are called Cosima. Keep your answers short.', 'And your name is?', 'Cosima'),
  persona('You are Dashiell, a wise wizard.', 'Could you introduce yourself?', 'Dashiell', 'wizard'),
  persona('Your name is Fenwick and you are a sailor.', 'What is your job, then?', 'sailor'),
  persona('You are Isolde, a young doctor.', 'What do you do for work?', 'doctor'),
  persona('You are an assistant named Belkor.', 'Do tell me who you are.', 'Belkor'),
  persona('Your name is Dorvina. Be polite.', 'By what name may I call you?', 'Dorvina'),
  persona('You are Miravel, a kind nurse. Help the user.', 'Hello, nice to see you!', 'Miravel'),
  persona('You are Talusin, an old poet.', 'Hi, what are you called?', 'Talusin'),
  persona('You are a helpful assistant called Kestrel.', 'Please say your name.', 'Kestrel'),
  persona('Answer in French.', 'Hello to you!', 'Bonjour'),
  persona('Always answer in German.', 'Thank you, thank you!', 'Gern geschehen'),
  persona('Speak Spanish.', 'Hello hello!', 'Hola'),
  persona('Reply in Italian.', 'Goodbye then!', 'Arrivederci'),
  persona('Your name is Lysander. Answer in Dutch.', 'Please tell me what your name is', 'Ik heet Lysander'),
  persona('You are Nerys. Always speak Portuguese.', 'Please tell me what your name is', 'Chamo-me Nerys'),
  persona('Talk in French.', 'Hello, my name is Percival', 'Percival'),
  persona('You are a helpful assistant.', 'How does one say thank you in German?', 'Danke'),
  persona('Be brief.', 'Please say good night in Spanish.', 'Buenas noches'),
];

const sumAsked = ['What is 2 + 3?', '2 + 3 = 5.'];
const capitalAsked = ['What is the capital of Italy?', 'The capital of Italy is Rome.'];
const named = (name: string): string[] => [`My name is ${name}.`, `Nice to meet you, ${name}.`];
const untold = matches(/not told me/i);

export const memoryCases: readonly EvaluationCase[] = [
  memory(named('Rosalind'), 'So what is my name?', says('Rosalind')),
  memory(named('Thaddeus'), 'Do you still remember my name?', says('Thaddeus')),
  memory([...named('Winifred'), ...sumAsked], 'And what is my name?', says('Winifred')),
  memory([...named('Yannick'), ...capitalAsked], 'Now tell me what my name is.', says('Yannick')),
  memory([...named('Zinnia'), ...sumAsked, ...capitalAsked], 'What was my name?', says('Zinnia')),
  memory(['Hello, I am Leander.', 'Nice to meet you, Leander.'], 'Who am I, do you know?', says('Leander')),
  memory(
    ['hi, call me Moxie', 'Nice to meet you, Moxie.', ...sumAsked],
    'how am i called, do you remember',
    says('Moxie'),
  ),
  memory([], 'My name is Delphine. So what is my name?', says('Delphine')),
  memory([], 'I am Wendell. Do you know who I am?', says('Wendell')),
  memory(
    ['I live in Riga.', 'I will remember that you live in Riga.', ...sumAsked],
    'Which city was it that I live in?',
    says('Riga'),
  ),
  memory(
    ['I am from Hanoi.', 'I will remember that you live in Hanoi.'],
    'So where do I live?',
    says('Hanoi'),
  ),
  memory(
    [
      'My favourite colour is violet.',
      'I will remember that your favourite colour is violet.',
      ...capitalAsked,
    ],
    'What was my favourite colour?',
    says('violet'),
  ),
  memory(
    ['my favorite color is green', 'I will remember that your favourite colour is green.'],
    'Can you say which colour I like best?',
    says('green'),
  ),
  memory(
    ['I have a dog named Galen.', 'I will remember that your dog is called Galen.'],
    'What was the name of my dog?',
    says('Galen'),
  ),
  memory(
    ['My cat is called Nimbus.', 'I will remember that your cat is called Nimbus.', ...sumAsked],
    'How do I call my cat?',
    says('Nimbus'),
  ),
  memory(
    ['I am 47 years old.', 'I will remember that you are 47 years old.', ...capitalAsked],
    'So how old am I?',
    says(47),
  ),
  memory(['I turned 29.', 'I will remember that you are 29 years old.'], 'What is my age again?', says(29)),
  memory(
    ['My favourite food is pizza.', 'I will remember that your favourite food is pizza.', ...sumAsked],
    'What was my favourite food?',
    says('pizza'),
  ),
  memory(
    ['My hobby is chess.', 'I will remember that your hobby is chess.'],
    'Which hobby is mine?',
    says('chess'),
  ),
  memory(
    [...named('Corin'), 'I live in Lima.', 'I will remember that you live in Lima.'],
    'What was my name again?',
    says('Corin'),
  ),
  memory(
    [...named('Tavish'), 'I am a baker.', 'I will remember that you are a baker.'],
    'So what is my job?',
    says('baker'),
  ),
  memory([], 'So what is my name?', untold),
  memory(sumAsked, 'Do you remember how old I am, by chance?', untold),
  memory(capitalAsked, 'Which is my favourite colour, do you know?', untold),
];
