import { createHash, randomBytes } from 'node:crypto';
import type { CatalogModel } from '../../../catalog/types.ts';
import {
  nothingComputed,
  type GeneratedTokenLogprob,
  type TokenLogprob,
  type Usage,
} from '../../../engine/generation/generation.ts';
import type { AppDeps } from '../../env.ts';
import type { NamedModel } from '../../model/model-names.ts';
import { dataEvent, doneEvent } from './sse.ts';

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
  const { prediction } = usage;
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedTokens },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      ...(prediction && {
        accepted_prediction_tokens: prediction.acceptedTokens,
        rejected_prediction_tokens: prediction.rejectedTokens,
      }),
    },
  };
}

/** OpenAI's value for the logarithm of 0, which JSON cannot represent. */
export const leastLogprob = -9999;

export function toWireTokens(tokens: readonly GeneratedTokenLogprob[]) {
  return tokens.map((token) => ({ ...toWireToken(token), top_logprobs: token.topLogprobs.map(toWireToken) }));
}

function toWireToken({ token, logprob, bytes }: TokenLogprob) {
  return { token, logprob: Math.max(logprob, leastLogprob), bytes: [...bytes] };
}

/** Which chunks of a stream tell the usage: none, the last, or each for the work by then. */
export type StreamedUsage = 'none' | 'last' | 'each';

export interface CompletionOptions {
  readonly usage: StreamedUsage;
  readonly withLogprobs: boolean;
}

/** Writes the chunks of a stream as server-sent events. The head is serialised once. */
export class ChunkWriter {
  usage = nothingComputed;
  readonly #start: string;
  readonly #streamedUsage: StreamedUsage;

  constructor(head: CompletionHead, { usage }: Pick<CompletionOptions, 'usage'>) {
    this.#start = `${JSON.stringify(head).slice(0, -1)},"choices":`;
    this.#streamedUsage = usage;
  }

  /** `more`: fields beside the choices. */
  write(choice: object, more?: object): string {
    if (this.#streamedUsage === 'none') return this.#event([choice], more);
    const usage = this.#streamedUsage === 'each' ? toWireUsage(this.usage) : null;
    return this.#event([choice], { ...more, usage });
  }

  /** The events after all choices: the usage, if the request asks for it, and [DONE]. */
  *end(usage: Usage): Iterable<string> {
    if (this.#streamedUsage !== 'none') yield this.#event([], { usage: toWireUsage(usage) });
    yield doneEvent;
  }

  #event(choices: readonly object[], more?: object): string {
    const end = more === undefined ? '}' : `,${JSON.stringify(more).slice(1)}`;
    return dataEvent(this.#start + JSON.stringify(choices) + end);
  }
}

/** Where the stream of a request has its usage, by the request's `options`. */
export function toStreamedUsage(
  options: {
    readonly include_usage?: boolean | null | undefined;
    readonly continuous_usage_stats?: boolean | null | undefined;
  } = {},
): StreamedUsage {
  if (options.continuous_usage_stats === true) return 'each';
  return options.include_usage === true ? 'last' : 'none';
}
