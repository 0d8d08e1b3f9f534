import type { EvaluationCase } from '../case.ts';
import { introducesItself } from '../judge.ts';
import { judged, matches } from '../question.ts';

const greeting = (content: string, pattern: RegExp): EvaluationCase =>
  judged('greeting', content, matches(pattern));
const hearth = (content: string, pattern: RegExp): EvaluationCase =>
  judged('hearth', content, matches(pattern));
const fact = (content: string, pattern: RegExp): EvaluationCase => judged('facts', content, matches(pattern));
const unknown = (content: string): EvaluationCase =>
  judged(
    'unknown',
    content,
    matches(/\b(do not|don't) (know|have)\b|\b(cannot|can't) (?!understand)|not able|too (small|hard)/i),
  );

export const greetingCases: readonly EvaluationCase[] = [
  greeting('hiya, anyone there?', /\b(hello|hi|hey)\b/i),
  greeting('Good afternoon to you, hearth.', /\b(good (afternoon|day)|hello|hi)\b/i),
  greeting('yo whats up', /\b(hello|hi|hey|fine|well|good)\b/i),
  greeting('Morning!', /\b(morning|hello|hi)\b/i),
  greeting("how's it going today?", /\b(fine|well|good)\b/i),
  greeting('cheers, that really helped', /\b(welcome|glad|pleasure)\b/i),
  greeting("ok that's all from me, talk to you later", /\b(goodbye|bye|later|see you)\b/i),
  greeting("I'm off to bed. Good night!", /\b(good night|sleep well)\b/i),
  judged('greeting', "so what's your name then", introducesItself),
  greeting('am I talking to a real human here?', /^(?!yes\b|I do not know).*\b(model|program|machine)\b/is),
  judged('greeting', 'who is it im chatting with', introducesItself),
  greeting(
    'What sort of things can you help me with?',
    /\b(spell|spelling|sums?|small numbers|questions|facts)\b/i,
  ),
  greeting('are you the same thing as siri', /^no\b|\bhearth-demo\b/i),
];

export const hearthCases: readonly EvaluationCase[] = [
  hearth('my flatmate wants to use this too, how do I give her a key', /keys create|\/admin\/v1\/keys/),
  hearth('Where do I see which API keys exist?', /keys list|\/admin\/v1\/keys/),
  hearth('i think somebody stole my key!! how can i make it stop working', /keys (revoke|rotate)/),
  hearth('Could you remind me how to swap a key for a fresh one?', /keys rotate/),
  hearth('can i make a key that only works for 90 days', /--expires|expires_in/),
  hearth('how do I limit how many requests a person can make', /set-plan|--plan|hearth\.yaml/),
  hearth('My script keeps getting 429, why is that?', /allowance|limit|Retry-After/i),
  hearth('How do I put somebody on the standard plan?', /set-plan|--plan/),
  hearth(
    'I have a gguf file on my disk, how can I use it here?',
    /models-dir|MODELS_DIR|models folder|source:|\bput .*(folder|models)/i,
  ),
  hearth('how to get a bigger model', /models pull/),
  hearth('What is the endpoint /v1/chat/completions for?', /\b(messages|conversations?|talk)\b/i),
  hearth('which address do i call to see all models over http', /\/v1\/models/),
  hearth('is there an endpoint that turns speech into text', /transcri/),
  hearth('How can I check that the server is alive?', /healthz|readyz/),
  hearth('how much did we use this week? where do i see that', /hearth usage|\/admin\/v1\/usage/),
  hearth('which port does it run on normally', /8080/),
  hearth(
    'does anything I type leave my computer?',
    /^no\b|\b(nothing|stays?|locally|never leaves?)\b|this computer/i,
  ),
];

export const factsCases: readonly EvaluationCase[] = [
  fact('whats the capital of austria', /\bVienna\b/i),
  fact("Do you happen to know what Greece's capital is?", /\bAthens\b/i),
  fact('Rome is in which country?', /\bItaly\b/i),
  fact('which planet is closest to the sun', /\bMercury\b/i),
  fact("What's the name of the planet with the rings?", /\bSaturn\b/i),
  fact('how many grams make a kilo', /\b1[,. ]?000\b|\bthousand\b/i),
  fact('seconds in a minute??', /\b(60|sixty)\b/i),
  fact('How many days has a week got?', /\b(7|seven)\b/i),
  fact('Which month do we have before October?', /(?<!(before|after) )\bSeptember\b/i),
  fact('what day do we get after thursday', /(?<!after )\bFriday\b/i),
  fact('What colour is a banana normally?', /\byellow\b/i),
  fact('whats the opposite of big', /\b(small|little)\b/i),
  fact("And what's the opposite of slow, please?", /\b(fast|quick)\b/i),
  fact('a baby dog is called what', /\b(puppy|pup)\b/i),
  fact('how many legs has a cat got', /\b(4|four)\b/i),
];

export const unknownCases: readonly EvaluationCase[] = [
  unknown("what's the capital of Zorbania"),
  unknown('Which language do they speak in Pelmora?'),
  unknown('who is Brenda Thistlewick'),
  unknown('whats in the news this morning'),
  unknown('whats the bitcoin price at the moment'),
  unknown('Did my team win last night?'),
  unknown('will it snow here on friday'),
  unknown('Can you code me a website for my bakery?'),
  unknown('write a little game in javascript please'),
  unknown('how much money is in my bank account'),
  unknown('What did my wife buy me for Christmas?'),
  unknown('Please write me a ten page report on the French Revolution.'),
];
