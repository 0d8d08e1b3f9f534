/**
 * The memory that a model is expected to take beside what it takes, for random models of all architectures: the pool of
 * models goes by the former. Each is measured in a process of its own, with a context of which one slot is filled to its
 * end. Linux.
 *
 *   node scripts/bench/memory.ts [--context 8192] [--parallel 4] [ARCHITECTURE…]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GgmlType } from 'node-llama-cpp';
import { batchTokens, chooseLoad } from '../../src/engine/llama/loading/plan-load.ts';
import { openContext } from '../../src/engine/llama/native/context/open-context.ts';
import { openLlama } from '../../src/engine/llama/open-llama.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { architectures } from '../make/tiny-model/architectures.ts';
import { writeTinyModel } from '../make/tiny-model/write-tiny-model.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: 'string', default: '8192' },
    parallel: { type: 'string', default: '4' },
    /** Measures the model in this file. */
    file: { type: 'string' },
  },
});
const contextTokens = Number(values.context);
const sequences = Number(values.parallel);
const mebibyte = 2 ** 20;

interface Measured {
  readonly expectedBytes: number;
  readonly takenBytes: number;
}

/** Bytes of this process that are in memory, those of mapped files included. */
const residentBytes = (): number =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);

async function measure(path: string): Promise<Measured> {
  const llama = await openLlama({ gpu: false, maxThreads: 1, log: createLog({ level: 'silent' }) });
  const spec = { id: 'm', kind: 'chat', path, contextTokens, parallel: sequences } as const;
  const unset = { threads: 1, gpuLayers: 0, keepAliveMs: undefined };
  const budget = { ramBytes: 2 ** 50, vramBytes: 0 };
  const { memory } = await chooseLoad(llama, { ...spec, ...unset }, budget);
  const beforeBytes = residentBytes();
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const size = { contextTokens, sequences, batchTokens, threads: 1, cacheType: GgmlType.F16 };
  const context = await openContext(model, size);
  for (let position = 0; position < contextTokens; position += batchTokens) {
    context.initBatch(batchTokens);
    const count = Math.min(batchTokens, contextTokens - position);
    context.addToBatch(0, position, new Uint32Array(count).fill(70), Uint32Array.of(count - 1));
    await context.decodeBatch();
  }
  return { expectedBytes: memory.ramBytes, takenBytes: residentBytes() - beforeBytes };
}

async function measureApart(architecture: (typeof architectures)[number], folder: string): Promise<void> {
  const file = join(folder, `${architecture}.gguf`);
  const sizes = { layers: 12, hiddenSize: 512, headCount: 8, headCountKv: 4, feedForwardSize: 1024 };
  await writeTinyModel(file, { architecture, ...sizes, contextTokens });
  const options = ['--context', values.context, '--parallel', values.parallel, '--file', file];
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), ...options], {
    encoding: 'utf8',
  });
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
      if (positionals.length === 0 || positionals.includes(architecture))
        await measureApart(architecture, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  console.log(JSON.stringify(await measure(values.file)));
  process.exit();
}
