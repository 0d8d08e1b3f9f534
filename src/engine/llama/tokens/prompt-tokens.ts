import { AppError } from '../../../errors/errors.ts';
import { compileControlPattern, type ControlPattern } from '../../prompt/text/control-texts.ts';
import { gapAround } from '../../prompt/thoughts/thought-tags.ts';
import type { PromptTemplate } from '../../prompt/chat-template.ts';
import type { RenderedPrompt } from '../../prompt/template/finish-prompt.ts';
import type { Conversation } from '../../prompt/conversation.ts';
import {
  cutAtMarks,
  markConversation,
  markersOfTemplate,
  withThoughtsApart,
} from '../../prompt/mark-conversation.ts';
import type { Attachment, GenerationRequest, Prompt } from '../../types.ts';
import type { PreparedAttachment, PromptMedium, Sender } from '../media/media.ts';
import { isMediumId } from '../media/medium-ids.ts';
import { concat } from './piece-tokenizer.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A prompt longer than four contexts and than this is not counted to its end. */
export const leastCountedTokens = 32_768;

export interface PromptTokenizerOptions {
  readonly vocabulary: Vocabulary;
  readonly template: PromptTemplate;
  /** The template's source: user-defined tokens that it writes are protected like control tokens. */
  readonly templateSource: string;
  readonly contextTokens: number;
  /** Prepares pictures and recordings. Default: the model only reads. */
  readonly attachments?: AttachmentReader | undefined;
}

/** The fields of a request from which its prompt is made, and the key for which it is rendered. */
type Prompted = Pick<GenerationRequest, 'prompt' | 'tools' | 'reasoning' | 'templateVariables'> &
  Partial<Sender>;

/** A prompt that is ready to be computed: as rendered, with tokens in place of its text. */
export interface TokenizedPrompt extends Omit<RenderedPrompt, 'text'> {
  /** At least one, and fewer than the context holds. */
  readonly promptTokens: Uint32Array;
  /** The parts of pictures and recordings in it, by the first of their ids: see media/medium-ids.ts. */
  readonly media: ReadonlyMap<number, PromptMedium>;
}

/** Turns a client's prompt into the token ids that the model continues. */
export class PromptTokenizer {
  readonly #options: PromptTokenizerOptions;
  readonly #controlPattern: ControlPattern | undefined;

  constructor(options: PromptTokenizerOptions) {
    this.#options = options;
    const { vocabulary, template, templateSource } = options;
    const inTemplate = new Set(vocabulary.specials.containedIn(templateSource));
    const written = vocabulary.userDefinedTexts.filter((text) => text.trim() !== '' && inTemplate.has(text));
    this.#controlPattern = compileControlPattern([
      ...vocabulary.controlTexts,
      ...written,
      ...markersOfTemplate(templateSource, template.facts),
    ]);
  }

  /** The facts of the model's chat template. */
  get facts(): PromptTemplate['facts'] {
    return this.#options.template.facts;
  }

  /**
   * The request's prompt in tokens; its other fields count only with messages.
   * Throws AppError: context_length_exceeded, invalid_value (a token id or messages that the template refuses).
   */
  async tokenize(request: Prompted, signal?: AbortSignal): Promise<TokenizedPrompt> {
    const tokenized = await this.#tokenizeAnyLength(request, signal);
    const { length } = tokenized.promptTokens;
    if (length < this.#options.contextTokens) return tokenized;
    throw this.#tooLong(request.prompt, length > this.#enough ? `more than ${this.#enough}` : length);
  }

  /** The number of tokens of the prompt, as `read` gives them. */
  async count(request: Prompted, signal: AbortSignal): Promise<number> {
    return (await this.read(request, signal)).length;
  }

  /**
   * The tokens of the prompt, which may be more than the context holds. Throws as `tokenize` does, but
   * context_length_exceeded only where a prompt is too long to be counted.
   */
  async read(request: Prompted, signal: AbortSignal): Promise<Uint32Array> {
    const { promptTokens } = await this.#tokenizeAnyLength(request, signal);
    if (promptTokens.length <= this.#enough) return promptTokens;
    throw this.#tooLong(request.prompt, `more than ${this.#enough}`);
  }

  /** Most tokens that are counted of a prompt. */
  get #enough(): number {
    return Math.max(4 * this.#options.contextTokens, leastCountedTokens);
  }

  async #tokenizeAnyLength(request: Prompted, signal: AbortSignal | undefined): Promise<TokenizedPrompt> {
    const own = await this.#tokensOf(request, signal);
    const promptTokens = this.#options.vocabulary.withBos(own.promptTokens);
    if (promptTokens.length > 0) return { ...own, promptTokens };
    throw new AppError('invalid_value', 'The prompt is empty.', { param: paramOf(request.prompt) });
  }

  #tooLong(prompt: Prompt, count: number | string): AppError {
    const { contextTokens } = this.#options;
    return new AppError(
      'context_length_exceeded',
      // Clients look for these words, and for the number that fits, which comes first.
      `This model's maximum context length is ${contextTokens} tokens, prompt and answer together. ` +
        `The prompt has ${count}: shorten it.`,
      { param: paramOf(prompt) },
    );
  }

  async #tokensOf(request: Prompted, signal: AbortSignal | undefined): Promise<TokenizedPrompt> {
    const { prompt, keyId = '', accountId = '' } = request;
    if (prompt.kind === 'messages')
      return this.#tokenizeConversation(toConversation(prompt, request), { keyId, accountId, signal });
    const promptTokens = await rawTokens(this.#options.vocabulary, prompt, this.#enough);
    return { promptTokens, media: new Map(), startsInThought: false };
  }

  async #tokenizeConversation(given: Conversation, asker: Asker): Promise<TokenizedPrompt> {
    const conversation = withThoughtsApart(given, this.facts);
    const marked = await markConversation(conversation, this.#controlPattern);
    const { text, ...rest } = this.#openThought(await this.#render(marked.conversation, asker), conversation);
    const joined = await this.#joinMedia(cutAtMarks(text, marked), marked.attachments, asker);
    return { ...rest, ...joined };
  }

  /** The tokens of `texts` with the ids of an attachment between each two of them. */
  async #joinMedia(
    texts: readonly (string | Iterable<string>)[],
    attachments: readonly Attachment[],
    { signal = new AbortController().signal, ...sender }: Asker,
  ): Promise<Pick<TokenizedPrompt, 'promptTokens' | 'media'>> {
    const ids: Uint32Array[] = [];
    const media = new Map<number, PromptMedium>();
    for (const [index, text] of texts.entries()) {
      if (text !== '') ids.push(await this.#options.vocabulary.tokenize(text, true, this.#enough));
      const attachment = attachments[index];
      if (attachment === undefined) continue;
      const prepared = await (this.#options.attachments ?? cannotPerceive)(attachment, sender, signal);
      ids.push(prepared.ids);
      for (const [id, part] of prepared.parts) media.set(id, part);
    }
    const promptTokens = concat(ids);
    if (attachments.length === 0 || !isMediumId(promptTokens.at(-1) ?? 0)) return { promptTokens, media };
    throw new AppError(
      'invalid_value',
      'The prompt ends with an attachment, so that the model has nothing to answer. Add text after it.',
      { param: 'messages' },
    );
  }

  /** Begins a thought where the client asks for one and the template has not begun it. */
  #openThought(rendered: RenderedPrompt, { reasoning }: Conversation): RenderedPrompt {
    const syntax = this.facts.thoughts?.syntax;
    if (reasoning?.enabled !== true || rendered.startsInThought || syntax?.kind !== 'tags') return rendered;
    const { tags } = syntax;
    return { ...rendered, text: rendered.text + tags.begin + gapAround(tags, '\n'), startsInThought: true };
  }

  async #render(conversation: Conversation, asker: Asker): Promise<RenderedPrompt> {
    try {
      return await this.#options.template.renderPrompt(conversation, asker);
    } catch (cause) {
      if (cause instanceof AppError || asker.signal?.aborted === true) throw cause;
      throw new AppError(
        'invalid_value',
        "The model's chat template refuses this sequence of messages. Let user and assistant take turns, " +
          'beginning with user.',
        { param: 'messages', cause },
      );
    }
  }
}

type Asker = Parameters<PromptTemplate['renderPrompt']>[1] & Sender;

/** Reads an attachment for the model's prompts. Throws AppError, or the signal's reason. */
export type AttachmentReader = (
  attachment: Attachment,
  sender: Sender,
  signal: AbortSignal,
) => Promise<PreparedAttachment>;

const cannotPerceive: AttachmentReader = () => {
  throw new AppError(
    'unsupported_value',
    'This model takes text only. Leave the attachments out, or use a model that takes them.',
    { param: 'messages' },
  );
};

function toConversation(
  { messages, continuesLast }: Extract<Prompt, { kind: 'messages' }>,
  { tools, reasoning, templateVariables }: Prompted,
): Conversation {
  return {
    messages,
    ...(continuesLast === true && { continuesLast }),
    ...(tools && { tools: tools.definitions }),
    ...(reasoning && { reasoning }),
    ...(templateVariables && { variables: templateVariables }),
  };
}

/** The tokens of a prompt without messages. With a suffix, they ask the model for the text between the two. */
async function rawTokens(
  vocabulary: Vocabulary,
  prompt: Exclude<Prompt, { kind: 'messages' }>,
  enough: number,
): Promise<Uint32Array> {
  const { suffix } = prompt;
  const isText = prompt.kind === 'text';
  if (!isText) checkTokens(vocabulary, prompt.tokens, 'prompt');
  if (suffix === undefined)
    return isText ? vocabulary.tokenize(prompt.text, true, enough) : Uint32Array.from(prompt.tokens);
  const markers = vocabulary.fillInTheMiddle;
  if (markers === undefined)
    throw new AppError(
      'unsupported_value',
      'This model has no fill-in-the-middle tokens, so it cannot write towards a suffix. Leave it out.',
      { param: 'suffix' },
    );
  const literal = (text: string) => vocabulary.tokenize(text, false, enough, true);
  const { begun = '', snippets = [] } = isText ? prompt : {};
  const [begin, between] = markers.file === undefined ? [[], []] : [markers.repository, [markers.file]];
  const parts = snippets.length === 0 || begin.length === 0 ? [] : [begin, await literal('project\n')];
  for (const { name, text } of snippets) parts.push(between, await literal(`${name}\n${text}\n`));
  return concat(
    [
      ...parts,
      snippets.length === 0 ? [] : between,
      [markers.prefix],
      isText ? await literal(prompt.text) : prompt.tokens,
      [markers.suffix],
      await literal(suffix),
      [markers.middle],
      await literal(begun),
    ].map((tokens) => Uint32Array.from(tokens)),
  );
}

/** Throws invalid_value for the first id that is not a token, because it would fail all requests of its step. */
export function checkTokens(vocabulary: Vocabulary, tokens: readonly number[], param: string): void {
  const index = tokens.findIndex((token) => !vocabulary.has(token));
  if (index < 0) return;
  throw new AppError(
    'invalid_value',
    `Token ${tokens[index]} at index ${index} is not one of the model's, which are 0 to ${vocabulary.size - 1}.`,
    { param: `${param}[${index}]` },
  );
}

const paramOf = (prompt: Prompt) => (prompt.kind === 'messages' ? 'messages' : 'prompt');
