import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { toChoice, toNumber } from './flags.ts';
import { f32, joinGguf, u32, type EncodedTensor } from './tiny-model/gguf.ts';
import { readEntries } from './wide-model/gguf-entries.ts';

const help = `Writes a model that answers as a smaller one and computes as long as a larger one: the smaller model's matrices are
filled up with zeros, and layers that change nothing come behind its own. For measuring drafts: random weights write the
text that a grammar asks for in tokens that nobody can guess, and trained ones mostly as the tokenizer does.

Usage: node scripts/make/wide-model.ts --from FILE --out FILE [options]

  --from FILE        a Llama-architecture GGUF with matrices in q8_0, heads of 32 numbers, and two heads for each head of
                     keys, such as models/hearth-demo.gguf
  --out FILE         where to write
  --layers N         blocks (30)
  --hidden N         size of the hidden state, a multiple of 64 (576)
  --feed-forward N   size of the feed-forward layer, a multiple of 32 (1536)
  --type TYPE        of the matrices of layers that change nothing: q8_0 or q4_0 (q8_0)
  --help             this text
`;

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    out: { type: 'string' },
    layers: { type: 'string' },
    hidden: { type: 'string' },
    'feed-forward': { type: 'string' },
    type: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const headNumbers = 32;
const blockWeights = 32;
/** Numbers of the formats in the file, and their bytes for 32 weights. */
const formats = {
  f32: { id: 0, blockBytes: 128 },
  q4_0: { id: 2, blockBytes: 18 },
  q8_0: { id: 8, blockBytes: 34 },
} as const;
type Format = (typeof formats)[keyof typeof formats];

interface Sizes {
  readonly layers: number;
  readonly hidden: number;
  readonly feedForward: number;
}

/** Inputs and outputs of each matrix of a block; norms have inputs only. */
function blockTensors({ hidden, feedForward }: Sizes): Readonly<Record<string, readonly number[]>> {
  return {
    attn_norm: [hidden],
    attn_q: [hidden, hidden],
    attn_k: [hidden, hidden / 2],
    attn_v: [hidden, hidden / 2],
    attn_output: [hidden, hidden],
    ffn_norm: [hidden],
    ffn_gate: [hidden, feedForward],
    ffn_up: [hidden, feedForward],
    ffn_down: [feedForward, hidden],
  };
}

/** The tensor with zeros around it. A norm divides by the mean over more numbers, so its weights are smaller. */
function widened({ name, dimensions, formatId, bytes }: EncodedTensor, sizes: Sizes): EncodedTensor {
  const kind = name.split('.').at(-2) ?? '';
  const [inputs = 0, outputs = 1] = dimensions;
  const [wideInputs = sizes.hidden, wideOutputs = kind === 'token_embd' ? outputs : 1] =
    blockTensors(sizes)[kind] ?? [];
  const isNorm = dimensions.length === 1;
  if (formatId !== (isNorm ? formats.f32 : formats.q8_0).id) throw new Error(`${name} is not in q8_0`);
  const { blockBytes } = isNorm ? formats.f32 : formats.q8_0;
  const rowBytes = (inputs / blockWeights) * blockBytes;
  const wideRowBytes = (wideInputs / blockWeights) * blockBytes;
  const wide = Buffer.alloc(wideRowBytes * wideOutputs);
  for (let row = 0; row < outputs; row++)
    bytes.copy(wide, row * wideRowBytes, row * rowBytes, (row + 1) * rowBytes);
  if (isNorm)
    for (let at = 0; at < inputs; at++)
      wide.writeFloatLE(wide.readFloatLE(at * 4) * Math.sqrt(inputs / wideInputs), at * 4);
  return { name, dimensions: isNorm ? [wideInputs] : [wideInputs, wideOutputs], formatId, bytes: wide };
}

/** The tensors of a block that adds zero to the values that pass through it. */
function idleBlock(layer: number, sizes: Sizes, format: Format): EncodedTensor[] {
  return Object.entries(blockTensors(sizes)).map(([kind, dimensions]) => {
    const { id, blockBytes } = dimensions.length === 1 ? formats.f32 : format;
    const weights = dimensions.reduce((product, size) => product * size, 1);
    const bytes = Buffer.alloc((weights / blockWeights) * blockBytes);
    return { name: `blk.${layer}.${kind}.weight`, dimensions, formatId: id, bytes };
  });
}

async function writeWideModel(from: string, out: string, sizes: Sizes, format: Format): Promise<void> {
  const { metadata, tensors } = readEntries(await readFile(from));
  /** Behind the number of its type. */
  const valueOf = (key: string) => (metadata.get(key) ?? Buffer.alloc(8)).subarray(4);
  const hidden = valueOf('llama.embedding_length').readUInt32LE();
  const layers = valueOf('llama.block_count').readUInt32LE();
  const epsilonKey = 'llama.attention.layer_norm_rms_epsilon';
  const change = (key: string, value: Buffer) =>
    metadata.set(key, Buffer.concat([metadata.get(key)?.subarray(0, 4) ?? Buffer.alloc(4), value]));
  change(epsilonKey, f32((valueOf(epsilonKey).readFloatLE() * hidden) / sizes.hidden));
  change('llama.embedding_length', u32(sizes.hidden));
  change('llama.feed_forward_length', u32(sizes.feedForward));
  change('llama.block_count', u32(sizes.layers));
  change('llama.attention.head_count', u32(sizes.hidden / headNumbers));
  change('llama.attention.head_count_kv', u32(sizes.hidden / headNumbers / 2));
  change('llama.context_length', u32(8192));
  const idle = Array.from({ length: sizes.layers - layers }, (_, index) =>
    idleBlock(layers + index, sizes, format),
  ).flat();
  const wide = tensors.map((tensor) => widened(tensor, sizes));
  await writeFile(out, joinGguf(metadata, [...wide, ...idle]));
}

if (values.help === true) process.stdout.write(help);
else if (values.from === undefined || values.out === undefined) {
  process.stderr.write(`--from and --out are needed\n\n${help}`);
  process.exitCode = 1;
} else {
  const sizes = {
    layers: toNumber('layers', values.layers) ?? 30,
    hidden: toNumber('hidden', values.hidden) ?? 576,
    feedForward: toNumber('feed-forward', values['feed-forward']) ?? 1536,
  };
  const type = toChoice('type', values.type, ['q8_0', 'q4_0'] as const) ?? 'q8_0';
  await writeWideModel(values.from, values.out, sizes, formats[type]);
}
