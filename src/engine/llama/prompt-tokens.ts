import { AppError } from '../../errors.ts';
import { breakControlTexts, compileControlPattern } from '../prompt/control-texts.ts';
import type { ChatTemplate } from '../prompt/chat-template.ts';
import type { ChatMessage, Prompt } from '../types.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A prompt of more than four contexts, and more than this, is not counted to its end. */
const leastCountedTokens = 32_768;

export interface PromptTokenizerOptions {
  readonly vocabulary: Vocabulary;
  readonly template: ChatTemplate;
  /** The template's source: user-defined tokens that it writes are protected like control tokens. */
  readonly templateSource: string;
  readonly contextTokens: number;
}

/** From what a client asks to the token ids that the model continues. */
export class PromptTokenizer {
  readonly #options: PromptTokenizerOptions;
  readonly #controlPattern: RegExp | undefined;

  constructor(options: PromptTokenizerOptions) {
    this.#options = options;
    const { vocabulary, templateSource } = options;
    const written = vocabulary.userDefinedTexts.filter(
      (text) => text.trim() !== '' && templateSource.includes(text),
    );
    this.#controlPattern = compileControlPattern([...vocabulary.controlTexts, ...written]);
  }

  /**
   * At least one token, and fewer than the context holds.
   * Throws AppError: context_length_exceeded, invalid_value (a token id or messages that the template refuses).
   */
  async tokenize(prompt: Prompt): Promise<Uint32Array> {
    const { vocabulary, contextTokens } = this.#options;
    const enough = Math.max(4 * contextTokens, leastCountedTokens);
    const tokens = vocabulary.withBos(await this.#tokensOf(prompt, enough));
    if (tokens.length === 0)
      throw new AppError('invalid_value', 'The prompt is empty.', { param: paramOf(prompt) });
    if (tokens.length < contextTokens) return tokens;
    const count = tokens.length > enough ? `more than ${enough}` : tokens.length;
    throw new AppError(
      'context_length_exceeded',
      `The prompt has ${count} tokens, but this model holds ${contextTokens} tokens of prompt and completion ` +
        'together. Shorten the prompt.',
      { param: paramOf(prompt) },
    );
  }

  async #tokensOf(prompt: Prompt, enough: number): Promise<Uint32Array> {
    const { vocabulary } = this.#options;
    switch (prompt.kind) {
      case 'messages':
        return this.#tokenizeMessages(prompt.messages, enough);
      case 'text':
        return vocabulary.tokenize(prompt.text, true, enough);
      case 'tokens': {
        const unknown = prompt.tokens.find((token) => !vocabulary.has(token));
        if (unknown !== undefined)
          throw new AppError(
            'invalid_value',
            `Token ${unknown} is not one of the model's ${vocabulary.size}.`,
            {
              param: 'prompt',
            },
          );
        return Uint32Array.from(prompt.tokens);
      }
    }
  }

  async #tokenizeMessages(messages: readonly ChatMessage[], enough: number): Promise<Uint32Array> {
    const contents = messages.map((message) => message.content);
    const { texts, mark } = breakControlTexts(contents, this.#controlPattern);
    const rendered = this.#render(
      messages.map((message, index) => ({ ...message, content: texts[index] ?? '' })),
    );
    return this.#options.vocabulary.tokenize(
      mark === undefined ? rendered : rendered.split(mark),
      true,
      enough,
    );
  }

  #render(messages: readonly ChatMessage[]): string {
    try {
      return this.#options.template.render(messages);
    } catch (cause) {
      throw new AppError(
        'invalid_value',
        "The model's chat template refuses this sequence of messages. Let user and assistant take turns, " +
          'beginning with user.',
        { param: 'messages', cause },
      );
    }
  }
}

const paramOf = (prompt: Prompt) => (prompt.kind === 'messages' ? 'messages' : 'prompt');
