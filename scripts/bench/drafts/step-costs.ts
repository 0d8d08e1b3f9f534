/**
 * Prints how long a step of one sequence takes by the number of its tokens, all with logits, as a multiple of a step with
 * one. That bounds what drafts can gain: with a draft of 7 tokens that are all right an answer is 8 / cost times as fast.
 *
 *   node scripts/bench/drafts/step-costs.ts --model FILE.gguf [--threads 2] [--depth 200] [--rounds 15]
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { GgmlType } from 'node-llama-cpp';
import { openContext } from '../../../src/engine/llama/native/context/stepper-context.ts';
import { openLlama } from '../../../src/engine/llama/open-llama.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { quantile } from '../../../src/cli/bench/statistics.ts';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    threads: { type: 'string', default: '2' },
    depth: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '15' },
  },
});
const [threads, depth, rounds] = [values.threads, values.depth, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const lengths = [1, 2, 3, 4, 6, 8, 12, 16] as const;

if (values.model === undefined) throw new Error('--model is missing');
const llama = await openLlama({ gpu: false, maxThreads: threads, log: createLog({ level: 'silent' }) });
const model = await llama.loadModel({ modelPath: values.model });
const size = { contextTokens: depth + 64, sequences: 1, batchTokens: 512, threads, cacheType: GgmlType.F16 };
const context = await openContext(model, size);

/** Milliseconds of a step with `tokens` tokens from `position` on. */
async function stepMs(position: number, tokens: number): Promise<number> {
  const places = Uint32Array.from({ length: tokens }, (_, at) => at);
  context.initBatch(tokens);
  context.addToBatch(
    0,
    position,
    places.map((at) => 100 + at),
    places,
  );
  const beganMs = performance.now();
  await context.decodeBatch();
  return performance.now() - beganMs;
}

for (let position = 0; position < depth; position += 16)
  await stepMs(position, Math.min(16, depth - position));
const measured = new Map<number, number[]>(lengths.map((length) => [length, []]));
for (let round = 0; round < rounds; round++)
  for (const length of lengths) {
    context.cut(0, depth);
    measured.get(length)?.push(await stepMs(depth, length));
  }
const medianOf = (length: number) => quantile(measured.get(length) ?? [], 0.5) ?? Number.NaN;
console.log(`1 token: ${medianOf(1).toFixed(2)} ms`);
for (const length of lengths.slice(1)) {
  const cost = medianOf(length) / medianOf(1);
  console.log(
    `${String(length).padStart(2)} tokens: × ${cost.toFixed(2)}, at most ${(length / cost).toFixed(2)} times as fast`,
  );
}
await context.dispose();
await llama.dispose();
