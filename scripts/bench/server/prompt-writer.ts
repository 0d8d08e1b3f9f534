import { RandomStream } from '../../make/random-stream.ts';
import { streamChat } from './chat-request.ts';
import type { Target } from './target.ts';

/** Common English words: most vocabularies hold each with its leading space as one token. */
const words =
  `the of and to in is that for it as was with be by on not he his but at are this have from or had an
they which one you were all her she there would their we him been has when who will no more if out so up said what its
about than into them can only other time new some could these two may first then do any like my now over such our man
me even most made after also did many off before must well back through years where much your way down should because
long each just state those people too how little good world make very year still see own work men day get here old life
both between being under three never know same last another while us might great go come since against right came take
used himself few house use place during without again home around small however found thought went say part once
general high upon school every does got united left number course war until always away something fact water public
less put think far enough took hand head yet government system better set told nothing night end why called find going
look asked later point knew next program city business give group toward young days let room side social given present
several order national possible rather second face per among form important often things looked early white case`
    .trim()
    .split(/\s+/);

/** Writes prompts of a wanted length in tokens for one model. */
export class PromptWriter {
  readonly #tokensPerWord: number;
  readonly #overheadTokens: number;

  constructor(tokensPerWord: number, overheadTokens: number) {
    this.#tokensPerWord = tokensPerWord;
    this.#overheadTokens = overheadTokens;
  }

  /** A text that makes a prompt of about `tokens` tokens when it is the only message. */
  wholePrompt(tokens: number, random: RandomStream): string {
    return this.text(tokens - this.#overheadTokens, random);
  }

  /** A text of about `tokens` tokens. */
  text(tokens: number, random: RandomStream): string {
    return randomWords(Math.max(1, Math.round(tokens / this.#tokensPerWord)), random);
  }
}

/** A writer fitted to the target's model by two requests, which also bring that model into memory. */
export async function calibratePromptWriter(target: Target): Promise<PromptWriter> {
  const random = new RandomStream(7);
  const shortWords = 16;
  const longWords = 80;
  const [shortTokens, longTokens] = [
    await countPromptTokens(target, randomWords(shortWords, random)),
    await countPromptTokens(target, randomWords(longWords, random)),
  ];
  const tokensPerWord = (longTokens - shortTokens) / (longWords - shortWords);
  // A server that tells no usage: one token per word and a usual template.
  if (!(tokensPerWord > 0)) return new PromptWriter(1, 20);
  return new PromptWriter(tokensPerWord, Math.max(0, shortTokens - shortWords * tokensPerWord));
}

async function countPromptTokens(target: Target, content: string): Promise<number> {
  const result = await streamChat(target, [{ role: 'user', content }], 8);
  if (result.error !== undefined) throw new Error(`${target.name} does not answer: ${result.error}`);
  return result.promptTokens;
}

function randomWords(count: number, random: RandomStream): string {
  return Array.from({ length: count }, () => words[Math.floor(random.uniform() * words.length)]).join(' ');
}
