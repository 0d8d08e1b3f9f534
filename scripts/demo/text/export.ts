import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeGguf, ggufFileTypes } from '../../make/tiny-model/gguf.ts';
import type { GgufTensor, GgufValue } from '../../make/tiny-model/gguf.ts';
import { readWeights, type Tensor } from './read-weights.ts';
import { controlTexts } from './tokenizer.ts';
import type { ControlText, TokenizerFile } from './tokenizer.ts';

const help = `Writes the trained demo model as GGUF: matrices as Q8_0, norms as 32-bit floats.

Usage: node scripts/demo/text/export.ts --weights FOLDER --tokenizer FILE --out FILE

  --weights FOLDER  what train.py wrote: weights.bin and shape.json
  --tokenizer FILE  tokenizer.json of the prepared examples
`;

interface About {
  readonly shape: {
    readonly hidden_size: number;
    readonly layers: number;
    readonly heads: number;
    readonly kv_heads: number;
    readonly feed_forward_size: number;
    readonly norm_epsilon: number;
    readonly rope_base: number;
  };
}

/** Training saw so many positions: beyond them the model writes nonsense. */
const contextTokens = 2048;

/** llama.cpp's names of the tensors of a block. */
const blockNames: Readonly<Record<string, string>> = {
  'attention_norm.weight': 'attn_norm.weight',
  'attention.q.weight': 'attn_q.weight',
  'attention.k.weight': 'attn_k.weight',
  'attention.v.weight': 'attn_v.weight',
  'attention.output.weight': 'attn_output.weight',
  'feed_forward_norm.weight': 'ffn_norm.weight',
  'feed_forward.gate.weight': 'ffn_gate.weight',
  'feed_forward.up.weight': 'ffn_up.weight',
  'feed_forward.down.weight': 'ffn_down.weight',
};

const { values } = parseArgs({
  options: {
    weights: { type: 'string' },
    tokenizer: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else if (values.weights === undefined || values.tokenizer === undefined || values.out === undefined) {
  process.stderr.write(`--weights, --tokenizer and --out are needed\n\n${help}`);
  process.exitCode = 1;
} else {
  const { about, tensors } = await readWeights(values.weights);
  const tokenizer = JSON.parse(await readFile(values.tokenizer, 'utf8')) as TokenizerFile;
  const template = await readFile(join(import.meta.dirname, 'chat-template.jinja'), 'utf8');
  const facts = describe((about as About).shape, tokenizer, template);
  await writeFile(values.out, encodeGguf(facts, tensors.map(toGgufTensor)));
}

function describe(
  shape: About['shape'],
  { tokens, merges }: TokenizerFile,
  template: string,
): Map<string, GgufValue> {
  const idOf = (text: ControlText): number => tokens.indexOf(text);
  const text = (value: string): GgufValue => ({ type: 'string', value });
  const count = (value: number): GgufValue => ({ type: 'u32', value });
  return new Map<string, GgufValue>([
    ['general.architecture', text('llama')],
    ['general.type', text('model')],
    ['general.name', text('hearth-demo')],
    [
      'general.description',
      text('A demo of hearth: a tiny model for trying things out, not for real questions'),
    ],
    ['general.organization', text('hearth-demo')],
    ['general.license', text('apache-2.0')],
    ['general.file_type', count(ggufFileTypes.q8_0)],
    ['llama.block_count', count(shape.layers)],
    ['llama.context_length', count(contextTokens)],
    ['llama.embedding_length', count(shape.hidden_size)],
    ['llama.feed_forward_length', count(shape.feed_forward_size)],
    ['llama.attention.head_count', count(shape.heads)],
    ['llama.attention.head_count_kv', count(shape.kv_heads)],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'f32', value: shape.norm_epsilon }],
    ['llama.rope.dimension_count', count(shape.hidden_size / shape.heads)],
    ['llama.rope.freq_base', { type: 'f32', value: shape.rope_base }],
    ['llama.vocab_size', count(tokens.length)],
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text('qwen2')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: tokens }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: tokens.map(toTokenType) }],
    ['tokenizer.ggml.merges', { type: 'strings', value: merges.map((merge) => merge.join(' ')) }],
    ['tokenizer.ggml.bos_token_id', count(idOf('<|endoftext|>'))],
    ['tokenizer.ggml.eos_token_id', count(idOf('<|im_end|>'))],
    ['tokenizer.ggml.padding_token_id', count(idOf('<|endoftext|>'))],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', text(template)],
  ]);
}

/** Numbers of llama.cpp's `llama_token_type`: 3 control; 4 a text of its own, which the answer may show; 1 ordinary. */
function toTokenType(token: string): number {
  if (!controlTexts.some((text) => text === token)) return 1;
  return token.startsWith('<|') ? 3 : 4;
}

function toGgufTensor({ name, shape, values: floats }: Tensor): GgufTensor {
  const weightType = shape.length === 1 ? 'f32' : 'q8_0';
  return { name: toGgufName(name), dimensions: shape.toReversed(), weightType, values: floats };
}

/** llama.cpp's name of a tensor; the output matrix is the embedding's and has none of its own. */
function toGgufName(name: string): string {
  if (name === 'embedding.weight') return 'token_embd.weight';
  if (name === 'output_norm.weight') return 'output_norm.weight';
  const [, block, rest = ''] = /^blocks\.(\d+)\.(.+)$/.exec(name) ?? [];
  const known = blockNames[rest];
  if (block === undefined || known === undefined) throw new Error(`no name in GGUF for ${name}`);
  return `blk.${block}.${known}`;
}
