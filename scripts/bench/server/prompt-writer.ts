import { randomWords } from '../../../src/cli/bench/random-words.ts';
import { RandomStream } from '../../make/random-stream.ts';
import { streamChat } from './chat-request.ts';
import type { Target } from './target.ts';

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
    return randomWords(Math.max(1, Math.round(tokens / this.#tokensPerWord)), () => random.uniform());
  }
}

/** A writer fitted to the target's model by two requests, which also bring that model into memory. */
export async function calibratePromptWriter(target: Target): Promise<PromptWriter> {
  const random = new RandomStream(7);
  const uniform = () => random.uniform();
  const shortWords = 16;
  const longWords = 80;
  const [shortTokens, longTokens] = [
    await countPromptTokens(target, randomWords(shortWords, uniform)),
    await countPromptTokens(target, randomWords(longWords, uniform)),
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
