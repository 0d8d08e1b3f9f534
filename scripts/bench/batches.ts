/**
 * The cost of batches for other clients, and their speed, on one server.
 *
 *   node scripts/bench/batches.ts words --model FILE.gguf [--prompt-tokens 64,512] [--rounds 6] [--requests 6] [--clients 1]
 *   node scripts/bench/batches.ts speed --model FILE.gguf [--lines 96] [--rounds 2] [--shared-tokens 0,300]
 *   node scripts/bench/batches.ts memory [--lines 50000]
 *
 * `words`: first words and gaps of clients that send a request now and then, beside a batch that has no end and without
 * it, in turns. `speed`: a batch alone beside the same requests of eight clients, in turns; `--shared-tokens` is the length
 * of the four beginnings of which they have one. `memory`: of a server with a tiny model that computes a batch of one token per
 * line. All take `--slots 8` and `--threads N` (the server chooses).
 */
import { parseArgs } from 'node:util';
import { measureMemory } from './batches/memory.ts';
import { measureSpeed } from './batches/speed.ts';
import { measureWords } from './batches/words.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', default: '' },
    slots: { type: 'string', default: '8' },
    threads: { type: 'string' },
    rounds: { type: 'string' },
    requests: { type: 'string', default: '6' },
    clients: { type: 'string', default: '1' },
    'prompt-tokens': { type: 'string', default: '64,512' },
    'shared-tokens': { type: 'string', default: '0,300' },
    lines: { type: 'string' },
  },
});
const numbers = (list: string) => list.split(',').map(Number);
const server = {
  modelFile: values.model,
  slots: Number(values.slots),
  threads: values.threads === undefined ? undefined : Number(values.threads),
};
const measurements: Readonly<Record<string, () => Promise<void>>> = {
  words: () =>
    measureWords(server, {
      promptTokens: numbers(values['prompt-tokens']),
      rounds: Number(values.rounds ?? 6),
      requests: Number(values.requests),
      clients: Number(values.clients),
    }),
  speed: () =>
    measureSpeed(server, {
      sharedTokens: numbers(values['shared-tokens']),
      lines: Number(values.lines ?? 96),
      rounds: Number(values.rounds ?? 2),
    }),
  memory: () => measureMemory(Number(values.lines ?? 50_000)),
};
const measure = measurements[positionals[0] ?? ''];
if (measure === undefined) throw new Error(`say what to measure: ${Object.keys(measurements).join(', ')}`);
if (values.model === '' && positionals[0] !== 'memory') throw new Error('--model is missing');
await measure();
