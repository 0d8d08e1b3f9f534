/**
 * Prints what log-probabilities and grammars cost of a model's decode speed, for one stream and for four. All kinds
 * of request take turns in every round; a ratio is that of one round, and the median of all rounds counts.
 *
 *   node scripts/bench/sampling.ts --model FILE.gguf [--rounds 7] [--tokens 48] [--threads N]
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { defaultSampling } from '../../src/engine/generation/sampling-options.ts';
import { GenerationChannel } from '../../src/engine/generation/generation-channel.ts';
import { CacheMemory } from '../../src/engine/llama/caches/cache-memory.ts';
import { AnswerCompiler } from '../../src/engine/sandbox/answer-compiler.ts';
import { Sandbox } from '../../src/engine/sandbox/sandbox.ts';
import { loadedAddonFile } from '../../src/engine/llama/native/loaded-addon-file.ts';
import { loadModel } from '../../src/engine/llama/loading/load-model.ts';
import { openMediaFiles } from '../../src/engine/llama/media/media-files.ts';
import { chooseLoad } from '../../src/engine/llama/loading/plan-load.ts';
import { openLlama } from '../../src/engine/llama/open-llama.ts';
import type { ServedModel } from '../../src/engine/model-backend.ts';
import type { GenerationRequest, JsonObject } from '../../src/engine/types.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { quantile } from '../../src/cli/bench/statistics.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    tokens: { type: 'string', default: '48' },
    threads: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const maxTokens = Number(values.tokens);
const streamCounts = [1, 4] as const;

/** Longer than any run of the benchmark. */
const records: JsonObject = {
  type: 'array',
  minItems: 200,
  items: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city', 'days', 'unit'],
    additionalProperties: false,
  },
};
const longText: JsonObject = { type: 'string', minLength: 5000 };

type Extra = Partial<GenerationRequest>;
const format = (schema: JsonObject): Extra => ({ outputFormat: { kind: 'json-schema', schema } });
const greedy = { ...defaultSampling, temperature: 0 };
/** The others are compared with the first; those that follow are named after their addition to it. */
const kinds: Readonly<Record<string, Extra>> = {
  plain: { ignoreEos: true },
  'top_logprobs 5': { ignoreEos: true, topLogprobs: 5 },
  // Weights that know no JSON disagree with the grammar at nearly every token here, trained ones now and then …
  'schema of records': format(records),
  // … and seldom here.
  'schema of a long text': format(longText),
  'greedy, plain': { ignoreEos: true, sampling: greedy },
  'greedy, schema of records': { ...format(records), sampling: greedy },
};

/** Tokens per second of `streams` streams together, from the first token on. */
async function decodeSpeed(model: ServedModel, extra: Extra, streams: number): Promise<number> {
  let firstAtMs = Number.POSITIVE_INFINITY;
  const generate = async (stream: number): Promise<number> => {
    const request: GenerationRequest = {
      modelId: 'bench',
      accountId: `account-${stream}`,
      keyId: `key-${stream}`,
      prompt: { kind: 'messages', messages: [{ role: 'user', content: 'What will the weather be?' }] },
      sampling: { ...defaultSampling, seed: stream },
      stop: [],
      maxTokens,
      minTokens: 0,
      ignoreEos: false,
      topLogprobs: undefined,
      ...extra,
    };
    const channel = new GenerationChannel(new AbortController().signal);
    const served = model.generate?.(request, channel);
    for await (const event of channel.generation.events)
      if (event.type === 'started') firstAtMs = Math.min(firstAtMs, performance.now());
    await served;
    const { usage } = await channel.generation.ended;
    return usage.completionTokens - 1;
  };
  const tokens = await Promise.all(Array.from({ length: streams }, (_, stream) => generate(stream)));
  return (tokens.reduce((total, count) => total + count, 0) * 1000) / (performance.now() - firstAtMs);
}

async function compare(model: ServedModel, streams: number): Promise<void> {
  const names = Object.keys(kinds);
  const speeds = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    // Another one begins in each round, so that a drift hits all alike.
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + 1) % names.length] ?? '';
      const speed = await decodeSpeed(model, kinds[name] ?? {}, streams);
      if (round >= 0) speeds.get(name)?.push(speed);
    }
  }
  console.log(`${streams} ${streams === 1 ? 'stream' : 'streams'}`);
  for (const name of names) {
    const base = speeds.get(name.startsWith('greedy') ? 'greedy, plain' : 'plain') ?? [];
    const own = speeds.get(name) ?? [];
    const ratios = own.map((speed, round) => speed / (base[round] ?? Number.NaN));
    const [speed, ratio] = [quantile(own, 0.5) ?? Number.NaN, quantile(ratios, 0.5) ?? Number.NaN];
    const cost = `${(100 * (1 - ratio)).toFixed(1)} % slower`;
    console.log(
      `  ${name.padEnd(28)} ${speed.toFixed(1).padStart(8)} tokens/s  ${ratio.toFixed(3)}  ${cost}`,
    );
  }
}

if (values.model === undefined) throw new Error('--model is missing');
const log = createLog({ level: 'silent' });
const llama = await openLlama({ gpu: false, maxThreads: Number(values.threads ?? 0), log });
const spec = {
  id: 'bench',
  kind: 'chat',
  path: values.model,
  contextTokens: 2048,
  parallel: Math.max(...streamCounts),
  threads: values.threads === undefined ? undefined : Number(values.threads),
  gpuLayers: undefined,
  keepAliveMs: undefined,
} as const;
const sandbox = new Sandbox(loadedAddonFile(), log);
const preparation = { sandbox, answers: new AnswerCompiler(sandbox) };
const limits = {
  cacheMemory: new CacheMemory(0),
  claim: () => Promise.resolve(() => undefined),
  mediaFiles: openMediaFiles(log),
  targetGapMs: 200,
  queueLimit: 16,
  queueTimeoutMs: 60_000,
  ...preparation,
};
const budget = { ramBytes: Number.POSITIVE_INFINITY, vramBytes: Number.POSITIVE_INFINITY };
const chosen = await chooseLoad(llama, spec, budget);
const model = await loadModel(llama, spec, chosen, limits, log, new AbortController().signal);
for (const streams of streamCounts) await compare(model, streams);
await model.dispose();
await sandbox.close();
await llama.dispose();
