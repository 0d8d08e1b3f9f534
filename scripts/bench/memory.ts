/**
 * The memory that a model is expected to take beside the memory that it takes, for random models of all architectures:
 * the pool of models goes by the former. Each is measured in a process of its own, with a context of which one slot is
 * filled, and after a step of drafts and a picture. Linux.
 *
 *   node scripts/bench/memory.ts [--context 8192] [--parallel 4] [--cache-type f16] [--vocabulary 32000]
 *        [--hidden 512] [--layers 12] [--drafts none] [--draft-head random] [--filled 8192] [ARCHITECTURE…]
 *   node scripts/bench/memory.ts --file FILE [--projector FILE] [--context …]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readGgufFileInfo, type Llama, type LlamaModel } from 'node-llama-cpp';
import { mostHeadTokens } from '../../src/engine/llama/drafts/sequence-drafts.ts';
import { chatContext } from '../../src/engine/llama/loading/needs/load-estimates.ts';
import { loadWeights } from '../../src/engine/llama/loading/load-weights.ts';
import { chooseLoad, type ChosenLoad } from '../../src/engine/llama/loading/plan-load.ts';
import type { NativeContext } from '../../src/engine/llama/native/context/context.ts';
import { openContext } from '../../src/engine/llama/native/context/stepper-context.ts';
import { onProcessor } from '../../src/engine/llama/native/model.ts';
import { openProjector } from '../../src/engine/llama/native/projector.ts';
import type { Stepper } from '../../src/engine/llama/native/stepper.ts';
import { openLlama } from '../../src/engine/llama/open-llama.ts';
import { Vocabulary } from '../../src/engine/llama/tokens/vocabulary.ts';
import { cacheTypes, type FileModelSpec } from '../../src/engine/model-backend.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { architectures } from '../make/tiny-model/architectures.ts';
import { writeTinyModel } from '../make/tiny-model/write-tiny-model.ts';
import { processRssBytes } from './figures/proc.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: 'string', default: '8192' },
    parallel: { type: 'string', default: '4' },
    'cache-type': { type: 'string', default: 'f16' },
    /** Tokens of the vocabulary: its memory, and a row of logits, grow with them. */
    vocabulary: { type: 'string', default: '32000' },
    hidden: { type: 'string', default: '512' },
    layers: { type: 'string', default: '12' },
    /** `none`: no step computes drafts. */
    drafts: { type: 'string', default: 'predictions' },
    /** `random`: models with a draft head, which is asked. */
    'draft-head': { type: 'string', default: 'none' },
    /** Tokens that one slot is filled with at most: caches are in memory from the start. */
    filled: { type: 'string', default: '8192' },
    /** Measures the model in this file. */
    file: { type: 'string' },
    /** By which that model sees. */
    projector: { type: 'string' },
  },
});
const contextTokens = Number(values.context);
const sequences = Number(values.parallel);
const cacheType = cacheTypes.find((type) => type === values['cache-type']);
const drafts = values.drafts === 'none' ? 'none' : undefined;
const withHeads = values['draft-head'] !== 'none';
const silentLog = createLog({ level: 'silent' });
const mebibyte = 2 ** 20;
const draftedTokens = 16;
/** The architectures of which tiny models can have a draft head. */
const headed = new Set<string>(['qwen35', 'qwen35moe', 'glm4moe']);

interface Measured {
  readonly expectedBytes: number;
  readonly takenBytes: number;
}

/** Bytes of this process that are in memory, those of mapped files included. */
function residentBytes(): number {
  globalThis.gc?.();
  return processRssBytes(process.pid) ?? Number.NaN;
}

async function measure(path: string): Promise<Measured> {
  const { projector: projectorPath } = values;
  const llama = await openLlama({ gpu: false, maxThreads: 1, log: silentLog });
  const spec = {
    id: 'm',
    kind: 'chat',
    path,
    projectorPath,
    contextTokens,
    parallel: sequences,
    cacheType,
    drafts,
    // Growing parts take less than this at first.
    reserve: true,
  } as const;
  const unset = { threads: 1, gpuLayers: 0, keepAliveMs: undefined };
  // As a server has, before it loads a model: the heap that JavaScript grew for that is not the model's.
  for (let times = 0; times < 3; times++) await readGgufFileInfo(path);
  const beforeBytes = residentBytes();
  const model = await load(llama, path);
  const vocabulary = new Vocabulary(model);
  const context = await openContext(model, {
    ...chatContext({ ...spec, ...unset }, contextTokens, undefined, withHeads),
    threads: 1,
  });
  const { batchTokens } = context;
  const { length: size } = model.fileInfo.metadata.tokenizer.ggml.tokens;
  const most = Math.min(Number(values.filled), contextTokens - draftedTokens);
  for (let position = 0; position < most; position += batchTokens) {
    const count = Math.min(batchTokens, most - position);
    await compute(context, size, [position], count, position + count === most ? 1 : 0);
  }
  const drawn = context.takesBack > 0 && drafts !== 'none' ? draftedTokens : 1;
  await compute(context, size, [most, ...Array.from({ length: sequences - 1 }, () => 0)], drawn, drawn);
  await context.guess?.(Int32Array.of(0, 70, most + 1, mostHeadTokens));
  if (projectorPath !== undefined && context.stepper !== undefined) await see(context.stepper, projectorPath);
  const takenBytes = residentBytes() - beforeBytes;
  vocabulary.endOfGeneration.has(0);
  // Not before: memory that it gives back would be taken again.
  const budget = { ramBytes: 2 ** 50, vramBytes: 0 };
  const { memory } = await chooseLoad(llama, { ...spec, ...unset }, budget);
  return { expectedBytes: memory.ramBytes, takenBytes };
}

/** The model on the processor, with its draft head where that is measured. */
function load(llama: Llama, path: string): Promise<LlamaModel> {
  const chosen = { ...onProcessor, withHeads, memory: { ramBytes: 0, vramBytes: 0 } };
  const { signal } = new AbortController();
  return loadWeights(llama, { id: 'm', path } as FileModelSpec, chosen as ChosenLoad, silentLog, signal);
}

/** A step with `count` tokens of each sequence from its position on, the last `wanted` of which have outputs. */
async function compute(
  context: NativeContext,
  vocabularySize: number,
  positions: readonly number[],
  count: number,
  wanted: number,
): Promise<void> {
  context.initBatch(positions.length * count);
  const outputs = Uint32Array.from({ length: wanted }, (_, at) => count - wanted + at);
  for (const [index, position] of positions.entries()) {
    // Others at each place, so that all rows of the embeddings are read.
    const tokens = Uint32Array.from(
      { length: count },
      (_, at) => (70 + 31 * (position + at)) % vocabularySize,
    );
    context.addToBatch(index, position, tokens, outputs);
  }
  await context.decodeBatch();
}

/** Has the projector encode a picture. */
async function see(stepper: Stepper, path: string): Promise<void> {
  const projector = await openProjector(stepper, { path, threads: 1, usesGpu: false });
  const [width, height] = [640, 480];
  const pieces = (await projector?.preparePicture(width, height, new Uint8Array(3 * width * height))) ?? [];
  for (const piece of pieces) if ('handle' in piece) while ((await projector?.encode(piece, 1000)) === false);
}

async function measureApart(architecture: (typeof architectures)[number], folder: string): Promise<void> {
  const file = join(folder, `${architecture}.gguf`);
  const [layers, hiddenSize] = [Number(values.layers), Number(values.hidden)];
  const sizes = { layers, hiddenSize, headCount: 8, headCountKv: 4, feedForwardSize: 2 * hiddenSize };
  const furtherTexts = Array.from({ length: Number(values.vocabulary) }, (_, at) => `word${at}`);
  const draftHead = withHeads ? 'random' : undefined;
  await writeTinyModel(file, { architecture, ...sizes, contextTokens, furtherTexts, draftHead });
  const options = Object.entries({ ...values, file }).flatMap(([name, value]) => [`--${name}`, value]);
  const program = fileURLToPath(import.meta.url);
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', program, ...options], {
    encoding: 'utf8',
  });
  rmSync(file);
  if (!stdout.startsWith('{')) throw new Error(`${architecture}: ${stderr}`);
  const { expectedBytes, takenBytes } = JSON.parse(stdout) as Measured;
  const [expected, taken] = [expectedBytes, takenBytes].map((bytes) => (bytes / mebibyte).toFixed(1));
  const difference = `${((expectedBytes / takenBytes - 1) * 100).toFixed(1)} %`;
  console.log(
    [architecture.padEnd(14), ...[expected, taken, difference].map((text) => text?.padStart(10))].join(''),
  );
}

if (values.file === undefined) {
  console.log(
    `MiB with ${sequences} × ${contextTokens} tokens\n${'model'.padEnd(14)}  expected     taken difference`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'hearth-memory-'));
  try {
    for (const architecture of architectures)
      if (
        positionals.includes(architecture) ||
        (positionals.length === 0 && (!withHeads || headed.has(architecture)))
      )
        await measureApart(architecture, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log(JSON.stringify(await measure(values.file)));
  process.exit();
}
