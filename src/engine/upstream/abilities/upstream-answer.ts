import type { UpstreamResponse } from '../http/decoded.ts';
import type { GenerationChannel } from '../../generation/generation-channel.ts';
import type { GenerationRequest } from '../../types.ts';
import type { Usage } from '../../generation/generation.ts';
import type { Address } from '../addresses/address.ts';
import type { AddressBook } from '../addresses/address-book.ts';
import { jsonContent, type Connection } from '../connection.ts';
import { AddressFailure, invalidAnswer, refusedByUpstream } from '../failures.ts';
import { readEvents, readWhole } from '../http/read-body.ts';
import type { UpstreamSpec } from '../upstream-spec.ts';
import { estimatePromptTokens, usageOf, usageSoFar } from '../usage.ts';
import { pathFor, toEngineParam, toGenerationBody } from '../wire/generation/generation-body.ts';
import { GenerationReader } from '../wire/generation/generation-reader.ts';
import { parseFields } from '../wire/json.ts';
import { errorInside, RefusedError } from '../wire/refusal.ts';
import { createHash } from 'node:crypto';

const mostOtherBytes = 2 ** 20;
const otherTimeoutMs = 10_000;

/** Where and how a model's answers are asked for. */
export interface Upstream {
  readonly spec: UpstreamSpec;
  readonly connection: Connection;
  readonly addresses: AddressBook;
}

/** The answer to one request, from the first address that begins to give one. */
export class UpstreamAnswer {
  readonly #request: GenerationRequest;
  readonly #channel: GenerationChannel;
  readonly #upstream: Upstream;
  #address: Address | undefined;
  #reader: GenerationReader | undefined;
  #sentBytes = 0;
  #beganAtMs: number | undefined;
  #endedAtMs = 0;

  constructor(request: GenerationRequest, channel: GenerationChannel, upstream: Upstream) {
    this.#request = request;
    this.#channel = channel;
    this.#upstream = upstream;
  }

  /** Tokens of prompt and answer, about. */
  get roughTokens(): number {
    return this.#beganAtMs === undefined
      ? 0
      : estimatePromptTokens(this.#request) + (this.#reader?.pieces ?? 0);
  }

  /** Mean time between two tokens; undefined: there were fewer than two. */
  get gapMs(): number | undefined {
    const gaps = (this.#reader?.pieces ?? 0) - 1;
    return gaps > 0 ? (this.#endedAtMs - (this.#beganAtMs ?? 0)) / gaps : undefined;
  }

  /** Sends all events of the answer to the channel. Throws AppError, or anything once the channel's signal is aborted. */
  async run(): Promise<void> {
    const { addresses } = this.#upstream;
    await addresses.use(conversationKey(this.#request), this.#channel.signal, (address, begun) =>
      this.#ask(address, begun),
    );
  }

  /** Ends the channel once `run` has ended. Throws the error of `run` where no answer had begun. */
  async end(running: Promise<void>): Promise<void> {
    const failure = await running.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failure !== undefined && this.#beganAtMs === undefined) throw failure.error;
    const usage = await this.#usage();
    if (this.#channel.signal.aborted) this.#channel.end({ outcome: 'aborted', usage });
    else if (failure === undefined) {
      const { finishReason = 'stop', stopSequence } = this.#reader ?? {};
      this.#channel.end({ outcome: 'finished', finishReason, stopSequence, usage });
    } else this.#channel.end({ outcome: 'failed', error: failure.error as Error, usage });
  }

  async #ask(address: Address, begun: () => void): Promise<void> {
    const { spec, connection } = this.#upstream;
    const { prompt, topLogprobs, stop, maxTokens } = this.#request;
    const body = jsonContent(toGenerationBody(this.#request, spec.model, address.serverKind));
    const reader = new GenerationReader({
      channel: this.#channel,
      topLogprobs,
      stop,
      maxTokens,
      secret: connection.key,
      onChunk: () => this.#begin(reader, begun),
    });
    this.#address = address;
    this.#reader = reader;
    this.#sentBytes = body.content.length;
    const startedAtMs = performance.now();
    const { signal } = this.#channel;
    try {
      const response = await connection.post(address, pathFor(prompt), body, signal);
      const whole = await readUnstreamed(response, connection.key);
      const { timeoutMs } = spec;
      if (whole !== undefined)
        // It is complete where it is JSON, whether it says why it ended or not.
        for (const data of [whole, '[DONE]']) reader.read({ data, event: undefined, id: undefined });
      else await readEvents(response, { onEvent: (event) => reader.read(event), timeoutMs, startedAtMs });
      if (reader.finishReason === undefined) throw invalidAnswer('it ends too early');
    } catch (error) {
      if (error instanceof RefusedError) throw this.#toClientError(error);
      // The answer is whole, or as long as it may be: the tokens after it cost no more than the report of its usage.
      if (reader.finishReason === undefined || signal.aborted || !(error instanceof AddressFailure))
        throw error;
    } finally {
      this.#endedAtMs = performance.now();
    }
  }

  #begin(reader: GenerationReader, begun: () => void): void {
    if (this.#beganAtMs !== undefined) return;
    this.#beganAtMs = performance.now();
    begun();
    const { prompt, echo } = this.#request;
    this.#channel.accept();
    const echoed = echo === true && prompt.kind === 'text' ? { prompt: { text: prompt.text } } : {};
    const promptTokens = estimatePromptTokens(this.#request);
    this.#channel.usageSoFar = () => usageSoFar(promptTokens, reader);
    this.#channel.start(promptTokens, 0, echoed);
  }

  #toClientError({ refusal }: RefusedError): Error {
    const promptParam = this.#request.prompt.kind === 'messages' ? 'messages' : 'prompt';
    return refusedByUpstream(refusal, (param) => toEngineParam(param, this.#request), promptParam);
  }

  async #usage(): Promise<Usage> {
    const [address, reader] = [this.#address, this.#reader];
    if (address === undefined || reader === undefined) throw new Error('no answer has begun');
    const facts = {
      request: this.#request,
      sentBytes: this.#sentBytes,
      contextTokens: address.contextTokens,
      reader,
    };
    return await usageOf(facts, (text) => this.#upstream.connection.countTokens(address, text));
  }
}

/**
 * The JSON of an answer that came whole though a stream was asked for; undefined: it is a stream of events. Throws
 * RefusedError or AddressFailure for anything else.
 */
async function readUnstreamed(
  response: UpstreamResponse,
  secret: string | undefined,
): Promise<string | undefined> {
  const type = response.headers['content-type'] ?? '';
  if (/^text\/event-stream\b/i.test(type)) return undefined;
  if (/^application\/json\b/i.test(type)) {
    const text = await readWhole(response, mostOtherBytes, otherTimeoutMs);
    const fields = parseFields(text);
    if (fields['error'] !== undefined && fields['error'] !== null) throw errorInside(fields, secret);
    if (fields['choices'] !== undefined) return text;
  }
  response.destroy();
  throw invalidAnswer(
    `it is no stream of events but ${/^[\w.+-]{1,64}\/[\w.+-]{1,64}/.exec(type)?.[0] ?? 'of no known type'}`,
  );
}

/** The beginning of a text prompt that tells it from others. */
const usedCharacters = 1024;

/**
 * A short text that is the same for all turns of one conversation: a hash of its messages up to the first one of the
 * user, or of the beginning of a text. Conversations of two accounts never share it, as they share no cache.
 */
function conversationKey({ accountId, prompt }: GenerationRequest): string {
  const hash = createHash('sha1').update(accountId);
  if (prompt.kind === 'messages') {
    for (const { role, content } of prompt.messages) {
      hash.update(`\0${role}\0${content}`);
      if (role === 'user') break;
    }
  } else if (prompt.kind === 'text') hash.update(prompt.text.slice(0, usedCharacters));
  else hash.update(prompt.tokens.slice(0, usedCharacters).join());
  return hash.digest('base64');
}
