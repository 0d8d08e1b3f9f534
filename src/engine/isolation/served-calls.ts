import { GenerationChannel } from '../generation/generation-channel.ts';
import type { LazyLlama } from '../llama/lazy-llama.ts';
import type { LocalBackend } from './local-backend.ts';
import { able, type ServedModel } from '../model-backend.ts';
import type { LoadPlan } from '../pool/loadable.ts';
import type { MemoryUse } from '../pool/memory-use.ts';
import { RequestBatch } from '../queue/request-batch.ts';
import { brokenOff, nothingComputed, type GenerationEnd } from '../generation/generation.ts';
import type { GenerationRequest } from '../types.ts';
import { toSentEnd, toSentError, type Call, type SentBatch, type WorkCall } from './messages.ts';
import type { Outbox } from './outbox.ts';

interface KnownBatch {
  readonly id: number;
  readonly batch: RequestBatch;
  /** Its requests that have not ended. */
  running: number;
}

/** Answers the parent's calls in the process of an isolated model. */
export class ServedCalls {
  readonly #backend: LocalBackend;
  readonly #llama: LazyLlama;
  readonly #outbox: Outbox;
  readonly #running = new Map<number, AbortController>();
  readonly #samples = new Map<number, Float32Array[]>();
  readonly #batches = new Map<number, KnownBatch>();
  readonly #claims = new Map<number, (isGranted: boolean) => void>();
  #lastClaim = 0;
  #plan: LoadPlan<ServedModel> | undefined;
  model: ServedModel | undefined;

  constructor(backend: LocalBackend, llama: LazyLlama, outbox: Outbox) {
    this.#backend = backend;
    this.#llama = llama;
    this.#outbox = outbox;
  }

  /** Does the call and reports the result. Never rejects. */
  async serve(id: number, call: Call): Promise<void> {
    const leaving = new AbortController();
    this.#running.set(id, leaving);
    try {
      const result = await this.#do(id, call, leaving.signal);
      this.#outbox.add({ kind: 'result', id, result });
    } catch (error) {
      this.#outbox.add({ kind: 'failed', id, error: toSentError(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  abort(id: number): void {
    this.#running.get(id)?.abort();
  }

  /** The parent's answer to a claim. */
  settleClaim(id: number, isGranted: boolean): void {
    this.#claims.get(id)?.(isGranted);
    this.#claims.delete(id);
  }

  async #claim(more: MemoryUse, unloadsOthers: boolean): Promise<(() => void) | undefined> {
    const id = this.#lastClaim++;
    const { promise: answered, resolve } = Promise.withResolvers<boolean>();
    this.#claims.set(id, resolve);
    this.#outbox.add({ kind: 'claim', id, more, unloadsOthers });
    return (await answered) ? () => this.#outbox.add({ kind: 'settled', id }) : undefined;
  }

  /** A piece of the audio for a call that is still to come. */
  addSamples(id: number, samples: Float32Array): void {
    const pieces = this.#samples.get(id) ?? [];
    pieces.push(samples);
    this.#samples.set(id, pieces);
  }

  async #do(id: number, call: Call, signal: AbortSignal): Promise<unknown> {
    switch (call.method) {
      case 'devices':
        return await this.#llama.devices();
      case 'plan': {
        this.#plan = await this.#backend.loadable(call.spec).plan(call.budget, signal);
        const { memory, remedy, contextTokens, place } = this.#plan;
        return { memory, remedy, contextTokens, place };
      }
      case 'load':
        this.model = await this.#plan?.load(signal, (more, unloadsOthers) =>
          this.#claim(more, unloadsOthers),
        );
        return undefined;
      case 'work':
        return toSentEnd(await this.#work(id, call, signal));
      case 'dispose': {
        const { model } = this;
        // Its state is told to the parent no more.
        this.model = undefined;
        return await model?.dispose();
      }
      default:
        return call satisfies never;
    }
  }

  /** The result of the model's method for the request, made whole again. */
  async #work(id: number, { work, request: sent, batch: sentBatch }: WorkCall, signal: AbortSignal) {
    const samples = this.#takeSamples(id);
    const known = sentBatch && this.#enterBatch(sentBatch);
    // The parent's request to this very method.
    const request = { ...sent, ...(samples && { samples }), ...(known && { batch: known.batch }) } as never;
    try {
      if (work === 'generate') return await this.#generate(id, request, signal);
      const onProgress = (progress: object) => this.#outbox.add({ kind: 'progress', id, progress });
      return await able<unknown>(this.model?.[work]?.(request, signal, onProgress));
    } finally {
      if (known !== undefined && --known.running === 0) this.#batches.delete(known.id);
    }
  }

  async #generate(id: number, request: GenerationRequest, signal: AbortSignal): Promise<GenerationEnd> {
    const channel = new GenerationChannel(signal);
    const { generation } = channel;
    void generation.accepted.then(() => this.#outbox.add({ kind: 'accepted', id }));
    void this.#runGeneration(request, channel);
    try {
      for await (const event of channel.pieces)
        this.#outbox.add({ kind: 'event', id, event, usage: channel.usageSoFar() });
    } catch {
      // The end tells the error.
    }
    return await generation.ended;
  }

  async #runGeneration(request: GenerationRequest, channel: GenerationChannel): Promise<void> {
    try {
      await able(this.model?.generate?.(request, channel));
    } catch (error) {
      channel.end(brokenOff(channel.signal, error, { usage: nothingComputed }));
    }
  }

  /** Requests of one batch share one object here, as they did in the parent. */
  #enterBatch({ id, size }: SentBatch): KnownBatch {
    const known = this.#batches.get(id) ?? { id, batch: new RequestBatch(size), running: 0 };
    known.running++;
    this.#batches.set(id, known);
    return known;
  }

  #takeSamples(id: number): Float32Array | undefined {
    const pieces = this.#samples.get(id);
    if (pieces === undefined) return undefined;
    this.#samples.delete(id);
    const samples = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let length = 0;
    for (const piece of pieces) {
      samples.set(piece, length);
      length += piece.length;
    }
    return samples;
  }
}
