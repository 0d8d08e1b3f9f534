import type { EvaluationCase } from '../case.ts';
import { says } from '../judge.ts';
import { instructed, matches, memory } from '../question.ts';

export const personaCases: readonly EvaluationCase[] = [
  instructed('You are Bruno, a chef in a small restaurant.', "hi! what's your name?", says('Bruno')),
  instructed(
    'Your name is Maya. You help the customers of a bike shop.',
    'who is this?',
    matches(/\bMaya\b(?!, a bike shop)/),
  ),
  instructed("You're called Pip and you are a friendly robot.", 'introduce yourself pls', says('Pip')),
  instructed('You are a pirate named Redbeard.', 'who are you', says('Redbeard')),
  instructed('You are Sunny, an assistant for kids.', 'whats ur name', says('Sunny')),
  instructed('You are Walter, a train driver.', "what's your job?", says('driver')),
  instructed(
    'You are Hazel, the friendly helper of a public library. Keep it short.',
    'Hi, who am I talking to?',
    matches(/\bHazel\b(?!, a public library)/),
  ),
  instructed('Please always reply in French.', 'good morning!', matches(/\bbonjour\b/i)),
  instructed('You only speak German.', 'Hello', matches(/\b(hallo|guten (tag|morgen))\b/i)),
  instructed('Answer everything in Spanish.', 'hi there', matches(/\b(hola|buenos d[ií]as)\b/i)),
  instructed('Respond in Italian only.', 'thank you very much', matches(/\b(prego|di niente)\b/i)),
  instructed(
    'Your name is Anneke and you answer in Dutch.',
    'hi!',
    matches(/\b(hallo|hoi|dag|goedendag)\b/i),
  ),
  instructed('You are Gustav. Use German.', 'What is your name?', matches(/\b(ich|bin|ist)\b.*\bGustav\b/i)),
  instructed('Speak Portuguese with the user.', 'good night!', matches(/\bboa noite\b/i)),
];

const met = (name: string): string[] => [`Hi, I'm ${name}.`, `Nice to meet you, ${name}.`];
const addition = ['what is 3 + 4', '3 + 4 = 7.'];

export const memoryCases: readonly EvaluationCase[] = [
  memory(met('Carlos'), "quick test, what's my name?", says('Carlos')),
  memory(
    [...met('Fiona'), ...addition],
    "do you know who you're talking to?",
    matches(/(?<!\bI am )\bFiona\b/),
  ),
  memory(
    ['my favourite colour is orange', 'I will remember that your favourite colour is orange.', ...addition],
    'which colour was it that i like',
    says('orange'),
  ),
  memory(["I'm 34", 'I will remember that you are 34 years old.'], 'how old am i again?', says(34)),
  memory(
    ['i live in Bristol', 'I will remember that you live in Bristol.', ...addition],
    'In what city do I live then?',
    says('Bristol'),
  ),
  memory(
    ["I've got a hamster called Peanut", 'I will remember that your hamster is called Peanut.'],
    "what's my hamster's name",
    says('Peanut'),
  ),
  memory(
    ['My hobby is fishing.', 'I will remember that your hobby is fishing.'],
    'do you recall my hobby',
    says('fishing'),
  ),
  memory(
    [...met('Aisha'), 'I am 22 by the way', 'I will remember that you are 22 years old.', ...addition],
    'how old did I say I am?',
    says(22),
  ),
  memory([], "My dog is called Rex and my cat is called Luna. What's the name of the cat?", says('Luna')),
  memory(
    [...met('Omar'), 'i come from Cork', 'I will remember that you live in Cork.'],
    'tell me my name please',
    says('Omar'),
  ),
  memory(
    [
      'My name is Paul.',
      'Nice to meet you, Paul.',
      'Actually, my name is Piers.',
      'Nice to meet you, Piers.',
    ],
    'So what is my name now?',
    says('Piers'),
  ),
  memory(met('Ines'), 'do you know the town I live in?', matches(/\b(not told|do not know|don't know)\b/i)),
];
