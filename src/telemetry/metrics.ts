import { Registry } from 'prom-client';
import { packageVersion } from '../config/package-version.ts';
import type { EngineObserver, GenerationTimes, UnloadReason } from '../engine/observer.ts';
import type { MemoryUse } from '../engine/pool/memory-use.ts';
import type { AddressStatus, ModelStatus } from '../engine/pool/model-status.ts';
import { LiveRequests } from './live-requests.ts';
import { RequestFeed, type FeedRequest } from './request-feed.ts';
import { createInstruments, type Instruments } from './instruments.ts';

export interface EndedRequest extends Omit<FeedRequest, 'endedAtMs'> {
  readonly cachedTokens?: number | undefined;
}

/** A call of a tool of an MCP server. */
export interface CalledTool {
  readonly server: string;
  readonly tool: string;
  readonly outcome: 'completed' | 'failed';
  readonly durationMs: number;
}

export type BatchLineOutcome = 'answered' | 'refused' | 'again';

export type PullOutcome = 'pulled' | 'present' | 'stopped' | 'failed';

/** A model's state, memory and requests at this moment. */
export type ModelReading = { readonly id: string } & Pick<
  ModelStatus,
  'state' | 'memory' | 'slots' | 'busySlots' | 'waiting' | 'addresses'
>;

/** Values that are read whenever the metrics are requested. */
export interface Readings {
  models(): Iterable<ModelReading>;
  memory(): { readonly budget: MemoryUse; readonly used: MemoryUse; readonly cacheBytes: number };
}

/** Counts events, and writes the counts in the text format of Prometheus. */
export class Metrics implements EngineObserver {
  readonly #registry = new Registry();
  readonly #instruments: Instruments = createInstruments(this.#registry);
  /** The last requests one by one. */
  readonly feed = new RequestFeed();
  /** The requests that have not ended, one by one. */
  readonly live = new LiveRequests();
  /** Is told of models that cannot be loaded, or that died. */
  onModelFailed: (model: string) => void = () => undefined;
  #readings: Readings | undefined;

  constructor() {
    this.#instruments.build.set({ version: packageVersion }, 1);
  }

  /** Media type of `render`. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Has `render` include these readings from now on. */
  read(readings: Readings): void {
    this.#readings = readings;
  }

  /** All metrics as text. */
  async render(): Promise<string> {
    this.#takeReadings();
    return await this.#registry.metrics();
  }

  requestBegan(): void {
    this.#instruments.requestsInFlight.inc();
  }

  requestEnded(request: EndedRequest): void {
    const { route = 'other', model = '', status, durationMs, errorCode } = request;
    const { requests, requestsInFlight, requestDuration, errors } = this.#instruments;
    requestsInFlight.dec();
    this.feed.add({ ...request, endedAtMs: Date.now() });
    requests.inc({ route, model, status });
    requestDuration.observe({ route }, durationMs / 1000);
    if (errorCode !== undefined) errors.inc({ code: errorCode });
    if (model !== '') this.#countWork(model, request);
  }

  limitRefused(model: string, measure: string, window: string): void {
    this.#instruments.limitRefusals.inc({ model, measure, window });
  }

  generationEnded(model: string, { waitMs, gapMs, drafts = [] }: GenerationTimes): void {
    this.#instruments.queueWait.observe({ model }, waitMs / 1000);
    if (gapMs !== undefined) this.#instruments.interToken.observe({ model }, gapMs / 1000);
    for (const { drafter, drafted, accepted } of drafts) {
      this.#instruments.draftedTokens.inc({ model, drafter }, drafted);
      this.#instruments.acceptedTokens.inc({ model, drafter }, accepted);
    }
  }

  modelLoaded(model: string, loadMs: number): void {
    this.#instruments.loads.inc({ model, outcome: 'loaded' });
    this.#instruments.loadTime.observe({ model }, loadMs / 1000);
  }

  modelLoadFailed(model: string): void {
    this.#instruments.loads.inc({ model, outcome: 'failed' });
    this.onModelFailed(model);
  }

  modelUnloaded(model: string, reason: UnloadReason): void {
    this.#instruments.unloads.inc({ model, reason });
    if (reason === 'lost') this.onModelFailed(model);
  }

  toolCalled({ server, tool, outcome, durationMs }: CalledTool): void {
    this.#instruments.toolCalls.inc({ server, tool, outcome });
    this.#instruments.toolTime.observe({ server }, durationMs / 1000);
  }

  batchLineEnded(outcome: BatchLineOutcome): void {
    this.#instruments.batchLines.inc({ outcome });
  }

  batchesRun(count: number): void {
    this.#instruments.batches.set(count);
  }

  pullEnded(outcome: PullOutcome): void {
    this.#instruments.pulls.inc({ outcome });
  }

  #countWork(model: string, request: EndedRequest): void {
    const { promptTokens = 0, cachedTokens = 0, completionTokens = 0, audioSeconds = 0 } = request;
    const instruments = this.#instruments;
    if (promptTokens > 0) instruments.promptTokens.inc({ model }, promptTokens);
    if (cachedTokens > 0) instruments.cachedTokens.inc({ model }, cachedTokens);
    if (completionTokens > 0) instruments.completionTokens.inc({ model }, completionTokens);
    if (audioSeconds > 0) instruments.audioSeconds.inc({ model }, audioSeconds);
    const { timeToFirstTokenMs } = request;
    if (timeToFirstTokenMs !== undefined)
      instruments.timeToFirstToken.observe({ model }, timeToFirstTokenMs / 1000);
  }

  #takeReadings(): void {
    const { processCpu, processMemory, processStart } = this.#instruments;
    const { user, system } = process.cpuUsage();
    processCpu.reset();
    processCpu.inc((user + system) / 1e6);
    processMemory.set(process.memoryUsage.rss());
    processStart.set(Math.floor(performance.timeOrigin / 1000));
    if (this.#readings === undefined) return;
    this.#readModels(this.#readings.models());
    const { budget, used, cacheBytes } = this.#readings.memory();
    this.#instruments.cacheMemory.set(cacheBytes);
    setDevices(this.#instruments.memoryBudget, budget);
    setDevices(this.#instruments.memoryUsed, used);
  }

  /** Models that are no longer in memory disappear from these gauges. */
  #readModels(readings: Iterable<ModelReading>): void {
    const { queueDepth, slots, busySlots, models, modelMemory, upstream } = this.#instruments;
    for (const gauge of [queueDepth, slots, busySlots, models, modelMemory, ...Object.values(upstream)])
      gauge.reset();
    for (const { id: model, state, ...reading } of readings) {
      models.inc({ state });
      for (const address of reading.addresses ?? []) this.#readAddress(model, address);
      if (reading.memory === undefined) continue;
      modelMemory.set({ model, device: 'ram' }, reading.memory.ramBytes);
      modelMemory.set({ model, device: 'vram' }, reading.memory.vramBytes);
      if (reading.slots !== undefined) slots.set({ model }, reading.slots);
      if (reading.busySlots !== undefined) busySlots.set({ model }, reading.busySlots);
      if (reading.waiting !== undefined) queueDepth.set({ model }, reading.waiting);
    }
  }

  #readAddress(model: string, { url, state, inFlight, requests, errors, latencyMs }: AddressStatus): void {
    const { upstream } = this.#instruments;
    const labels = { model, address: url };
    upstream.up.set(labels, state === 'down' ? 0 : 1);
    upstream.inFlight.set(labels, inFlight);
    upstream.requests.inc(labels, requests);
    upstream.errors.inc(labels, errors);
    if (latencyMs !== undefined) upstream.latency.set(labels, latencyMs / 1000);
  }
}

function setDevices(gauge: Instruments['memoryUsed'], { ramBytes, vramBytes }: MemoryUse): void {
  gauge.set({ device: 'ram' }, ramBytes);
  gauge.set({ device: 'vram' }, vramBytes);
}
