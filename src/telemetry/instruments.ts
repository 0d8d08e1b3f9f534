import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const latencySeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const gapSeconds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2];
const loadSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/**
 * Every metric there is, on `registry`: its name, its labels, its meaning. docs/metrics.md has the same table, which a
 * test compares with this one. Labels hold known names only, so that no client can make up new series.
 */
export function createInstruments(registry: Registry) {
  const make = makersOn(registry);
  return {
    ...requestInstruments(make),
    ...workInstruments(make),
    ...modelInstruments(make),
    ...toolInstruments(make),
    upstream: upstreamInstruments(make),
    ...processInstruments(make),
  };
}

export type Instruments = ReturnType<typeof createInstruments>;

type Makers = ReturnType<typeof makersOn>;

function makersOn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, labels: readonly Label[], help: string) =>
      new Counter({ name, help, labelNames: [...labels], registers }),
    gauge: <Label extends string>(name: string, labels: readonly Label[], help: string) =>
      new Gauge({ name, help, labelNames: [...labels], registers }),
    histogram: <Label extends string>(
      name: string,
      labels: readonly Label[],
      buckets: number[],
      help: string,
    ) => new Histogram({ name, help, labelNames: [...labels], buckets, registers }),
  };
}

/** Requests, and how they end. */
function requestInstruments({ counter, gauge, histogram }: Makers) {
  return {
    requests: counter(
      'hearth_requests_total',
      ['route', 'model', 'status'],
      'Requests that have ended. `route` is the path as documented, or `other`; `model` is empty where none was used; `status` 499: the client left before the answer.',
    ),
    requestsInFlight: gauge('hearth_requests_in_flight', [], 'Requests that have not ended yet.'),
    requestDuration: histogram(
      'hearth_request_duration_seconds',
      ['route'],
      latencySeconds,
      'From the arrival of a request to the last byte of its answer.',
    ),
    batchLines: counter(
      'hearth_batch_lines_total',
      ['outcome'],
      'Lines of batches that were computed; `outcome` is `answered`, `refused` (the answer is an error) or `again` (it is computed again later).',
    ),
    batches: gauge('hearth_batches', [], 'Batches that have not ended.'),
    errors: counter(
      'hearth_errors_total',
      ['code'],
      'Errors that clients got, by the `code` in their body; those within a stream count too.',
    ),
    limitRefusals: counter(
      'hearth_limit_refusals_total',
      ['model', 'measure', 'window'],
      'Requests refused because a key has no allowance left; `measure` (`requests`, `input_tokens`, `output_tokens`, `audio_seconds`) and `window` (`minute`, `hour`, `day`, `30d`) name the limit that takes longest to refill. With `budget` as the `window` a budget refused, whose `measure` may also be `tokens` or `units`; `requests` and `parallel` are requests at once.',
    ),
  };
}

/** Instruments for the work of models: tokens, times and outcomes. */
function workInstruments({ counter, gauge, histogram }: Makers) {
  return {
    promptTokens: counter(
      'hearth_prompt_tokens_total',
      ['model'],
      'Prompt tokens processed, those reused from the cache included.',
    ),
    cachedTokens: counter(
      'hearth_cached_prompt_tokens_total',
      ['model'],
      'Prompt tokens that were reused from the cache and not computed again.',
    ),
    completionTokens: counter('hearth_completion_tokens_total', ['model'], 'Tokens generated.'),
    draftedTokens: counter(
      'hearth_drafted_tokens_total',
      ['model', 'drafter'],
      'Tokens that were guessed and computed together with the one before them. `drafter` names their source: `grammar`, the `prediction` of a request, `text` that was written before, or `heads` that the model has for it.',
    ),
    acceptedTokens: counter(
      'hearth_accepted_tokens_total',
      ['model', 'drafter'],
      'Of the guessed tokens, the ones that answers have.',
    ),
    audioSeconds: counter(
      'hearth_audio_seconds_total',
      ['model'],
      'Seconds of audio transcribed, or made of texts.',
    ),
    timeToFirstToken: histogram(
      'hearth_time_to_first_token_seconds',
      ['model'],
      latencySeconds,
      'From the arrival of a request to its first output; loading and waiting included.',
    ),
    interToken: histogram(
      'hearth_inter_token_seconds',
      ['model'],
      gapSeconds,
      'Time between two tokens: one observation per answer, the mean of its gaps.',
    ),
    queueWait: histogram(
      'hearth_queue_wait_seconds',
      ['model'],
      latencySeconds,
      'How long a generation waited for a slot of its model, which was loaded by then.',
    ),
    queueDepth: gauge('hearth_queue_depth', ['model'], 'Requests that wait for a slot of a model in memory.'),
    slots: gauge('hearth_slots', ['model'], 'Requests that a model in memory can compute together.'),
    busySlots: gauge('hearth_slots_busy', ['model'], 'Of these slots, the ones in use.'),
  };
}

/** Models in memory and on the disk. */
function modelInstruments({ counter, gauge, histogram }: Makers) {
  return {
    models: gauge(
      'hearth_models',
      ['state'],
      'Models that are served, by their state: `available` (on disk), `loading`, `loaded`, `unloading`, `failed`.',
    ),
    modelMemory: gauge(
      'hearth_model_memory_bytes',
      ['model', 'device'],
      'What a model in memory takes, weights, caches and buffers together; `device` is `ram` or `vram`.',
    ),
    memoryUsed: gauge('hearth_memory_used_bytes', ['device'], 'What all models in memory take together.'),
    memoryBudget: gauge('hearth_memory_budget_bytes', ['device'], 'What models may take together.'),
    cacheMemory: gauge(
      'hearth_cache_memory_bytes',
      [],
      'What kept caches of conversations that hold no slot take, in main memory beside the models.',
    ),
    loads: counter(
      'hearth_model_loads_total',
      ['model', 'outcome'],
      'Attempts to load a model; `outcome` is `loaded` or `failed`.',
    ),
    loadTime: histogram(
      'hearth_model_load_seconds',
      ['model'],
      loadSeconds,
      'How long a successful load took.',
    ),
    unloads: counter(
      'hearth_model_unloads_total',
      ['model', 'reason'],
      'Models freed: `idle`, `evicted` for another one, `requested` by an operator or a change of the configuration, at `shutdown`, or `lost` when its process failed.',
    ),
    pulls: counter(
      'hearth_pulls_total',
      ['outcome'],
      'Downloads of models by the server: `pulled`, `present` (nothing was missing), `stopped` or `failed`.',
    ),
  };
}

/** Instruments for models' calls to servers of tools. */
function toolInstruments({ counter, histogram }: Makers) {
  return {
    toolCalls: counter(
      'hearth_tool_calls_total',
      ['server', 'tool', 'outcome'],
      'Calls of tools of MCP servers: `completed` or `failed`.',
    ),
    toolTime: histogram(
      'hearth_tool_call_duration_seconds',
      ['server'],
      latencySeconds,
      'How long such a call took.',
    ),
  };
}

/** Servers that run models for hearth. */
function upstreamInstruments({ counter, gauge }: Makers) {
  const labels = ['model', 'address'] as const;
  return {
    up: gauge(
      'hearth_upstream_up',
      labels,
      '1 while requests for the model are sent to this address, 0 while it is down.',
    ),
    inFlight: gauge('hearth_upstream_in_flight', labels, 'Requests that an address is answering.'),
    requests: counter(
      'hearth_upstream_requests_total',
      labels,
      'Requests that an address has begun to answer.',
    ),
    errors: counter('hearth_upstream_errors_total', labels, 'Requests that failed at an address.'),
    latency: gauge(
      'hearth_upstream_latency_seconds',
      labels,
      'From a request to the first byte of its answer at an address: a moving average.',
    ),
  };
}

function processInstruments({ counter, gauge }: Makers) {
  return {
    processCpu: counter(
      'process_cpu_seconds_total',
      [],
      'Processor time that the process has used, computing included.',
    ),
    processMemory: gauge('process_resident_memory_bytes', [], 'Main memory that the process holds.'),
    processStart: gauge('process_start_time_seconds', [], 'When the process began, in Unix seconds.'),
    build: gauge('hearth_build_info', ['version'], 'Always 1; `version` is that of the program.'),
  };
}
