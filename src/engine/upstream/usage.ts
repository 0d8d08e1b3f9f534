import type { GenerationRequest } from '../types.ts';
import type { Usage } from '../generation/generation.ts';
import type { GenerationReader } from './wire/generation/generation-reader.ts';
import { fieldsOf } from './wire/json.ts';

/** Text takes at least a byte per token, and chat templates of servers add some. */
const mostTemplateTokens = 4096;
const bytesPerToken = 4;
/** No answer has more tokens, hidden thoughts included. */
const mostWrittenTokens = 2 ** 20;
/** More than any context holds. To send a longer text to a tokenizer would hold up other requests. */
const mostCountedCharacters = 2 ** 21;

/** The facts of an answer from which its tokens are counted. */
export interface AnswerFacts {
  readonly request: GenerationRequest;
  /** Bytes that the upstream was sent. */
  readonly sentBytes: number;
  readonly contextTokens: number | undefined;
  readonly reader: GenerationReader;
}

/** Counts the tokens of a text; undefined where that cannot be done. */
export type TokenCounter = (text: string) => Promise<number | undefined>;

/**
 * The usage as the upstream reports it; else as its tokenizer counts it; else an estimate. A report is believed as long
 * as it is possible: whole numbers, not more prompt tokens than bytes were sent, not more tokens than were allowed, and
 * some where something was written.
 */
export async function usageOf(facts: AnswerFacts, count: TokenCounter): Promise<Usage> {
  return readReport(facts) ?? (await countUsage(facts, count)) ?? estimateUsage(facts);
}

/** Tokens that a prompt has about, by its length. */
export function estimatePromptTokens(request: GenerationRequest): number {
  const { prompt } = request;
  if (prompt.kind === 'tokens') return prompt.tokens.length;
  return estimateTextTokens(promptText(request));
}

/** Tokens that a text has about, by its length; at least 1. */
export const estimateTextTokens = (text: string): number =>
  Math.max(1, Math.ceil(Buffer.byteLength(text) / bytesPerToken));

/** The usage of an answer while it goes on; `promptTokens` is an estimate. */
export const usageSoFar = (promptTokens: number, reader: GenerationReader): Usage =>
  toUsage(promptTokens, reader.pieces, reader, 'estimated');

function readReport({
  request,
  sentBytes,
  contextTokens = Infinity,
  reader,
}: AnswerFacts): Usage | undefined {
  const { usage } = reader;
  if (usage === undefined) return undefined;
  const mostPrompt = Math.min(contextTokens, sentBytes + mostTemplateTokens);
  const promptTokens = wholeUpTo(mostPrompt, usage['prompt_tokens']);
  const mostWritten = Math.min(contextTokens, request.maxTokens ?? mostWrittenTokens);
  const completionTokens = wholeUpTo(mostWritten, usage['completion_tokens']);
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  if (promptTokens === 0 || (completionTokens === 0 && reader.pieces > 0)) return undefined;
  const detail = (group: string, name: string) => fieldsOf(usage[group])?.[name];
  return {
    promptTokens,
    cachedTokens: wholeUpTo(promptTokens, detail('prompt_tokens_details', 'cached_tokens')) ?? 0,
    completionTokens,
    reasoningTokens:
      wholeUpTo(completionTokens, detail('completion_tokens_details', 'reasoning_tokens')) ??
      // As SGLang has it.
      wholeUpTo(completionTokens, usage['reasoning_tokens']) ??
      Math.min(completionTokens, reader.reasoningPieces),
    source: 'reported',
  };
}

async function countUsage({ request, reader }: AnswerFacts, count: TokenCounter): Promise<Usage | undefined> {
  const { prompt } = request;
  if (reader.text.length > mostCountedCharacters) return undefined;
  const promptTokens = prompt.kind === 'tokens' ? prompt.tokens.length : await count(promptText(request));
  const completionTokens = reader.text === '' ? 0 : await count(reader.text);
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  return toUsage(promptTokens, completionTokens, reader, 'tokenized');
}

function estimateUsage({ request, reader }: AnswerFacts): Usage {
  const written = Math.max(reader.pieces, Math.ceil(Buffer.byteLength(reader.text) / bytesPerToken));
  const completionTokens = Math.min(written, request.maxTokens ?? written);
  return toUsage(estimatePromptTokens(request), completionTokens, reader, 'estimated');
}

function toUsage(
  promptTokens: number,
  written: number,
  { reasoningPieces }: GenerationReader,
  source: Usage['source'],
): Usage {
  const reasoningTokens = Math.min(written, reasoningPieces);
  return { promptTokens, cachedTokens: 0, completionTokens: written, reasoningTokens, source };
}

/** The texts of a prompt, without the words that a chat template writes around them; '' for tokens. */
export function promptText({ prompt, tools }: GenerationRequest): string {
  if (prompt.kind !== 'messages') return prompt.kind === 'text' ? prompt.text + (prompt.suffix ?? '') : '';
  const texts = prompt.messages.map(({ content, reasoning = '', toolCalls = [] }) =>
    [reasoning, content, ...toolCalls.map(({ name, arguments: text }) => name + text)].join(''),
  );
  return [...texts, ...(tools ? [JSON.stringify(tools.definitions)] : [])].join('\n');
}

function wholeUpTo(most: number, value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most
    ? Number(value)
    : undefined;
}
