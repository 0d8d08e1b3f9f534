import { createHash, randomBytes } from 'node:crypto';
import type { CatalogModel } from '../../catalog/types.ts';
import type { GeneratedTokenLogprob, TokenLogprob, Usage } from '../../engine/generation.ts';
import type { AppDeps } from '../env.ts';
import type { NamedModel } from '../model/model-names.ts';
import { dataEvent } from './sse.ts';

/** The first fields of a completion, of chat or of plain text, and of each of its chunks. */
export interface CompletionHead {
  readonly id: string;
  readonly object: string;
  /** Unix seconds. */
  readonly created: number;
  /** The name in the request: an alias stays an alias. */
  readonly model: string;
  readonly system_fingerprint: string;
}

/** The head of a completion that begins now; its id is the prefix and 24 random characters. */
export function createCompletionHead(
  prefix: 'chatcmpl' | 'cmpl',
  object: string,
  { name, model }: NamedModel,
  { clock }: Pick<AppDeps, 'clock'>,
): CompletionHead {
  return {
    id: `${prefix}-${randomBytes(18).toString('base64url')}`,
    object,
    created: Math.floor(clock.nowMs() / 1000),
    model: name,
    system_fingerprint: toSystemFingerprint(model),
  };
}

const fingerprints = new WeakMap<CatalogModel, string>();

/** `fp_…`: the same as long as the same file is served with the same settings, so that equal seeds can be compared. */
function toSystemFingerprint(model: CatalogModel): string {
  const known = fingerprints.get(model);
  if (known !== undefined) return known;
  const { id, sizeBytes, createdAtSeconds, settings } = model;
  const facts = JSON.stringify([id, sizeBytes, createdAtSeconds, settings]);
  const fingerprint = `fp_${createHash('sha256').update(facts).digest('hex').slice(0, 10)}`;
  fingerprints.set(model, fingerprint);
  return fingerprint;
}

/** `usage` as completions have it. */
export function toWireUsage(usage: Usage) {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

/** OpenAI's value for the logarithm of 0, which JSON cannot represent. */
export const leastLogprob = -9999;

/** Tokens and their alternatives in the form of OpenAI's endpoints. */
export function toWireTokens(tokens: readonly GeneratedTokenLogprob[]) {
  return tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.topLogprobs.map(toWireToken) }));
}

function toWireToken({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob: Math.max(logprob, leastLogprob), bytes: [...bytes] };
}

/** What the request of a completion asks its answer to contain. */
export interface CompletionOptions {
  readonly includeUsage: boolean;
  readonly withLogprobs: boolean;
}

/** A writer of a stream's chunks as server-sent events; its arguments are JSON, and the head is serialised once. */
export function createChunkWriter(
  head: CompletionHead,
  { includeUsage }: Pick<CompletionOptions, 'includeUsage'>,
) {
  const start = `${JSON.stringify(head).slice(0, -1)},"choices":`;
  return (choices: string, usage = 'null'): string =>
    dataEvent(start + choices + (includeUsage ? `,"usage":${usage}}` : '}'));
}
