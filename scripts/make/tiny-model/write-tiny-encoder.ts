import { RandomStream } from '../random-stream.ts';
import { encodeGguf } from './gguf.ts';
import type { GgufTensor, GgufValue } from './gguf.ts';
import { sampleText } from './vocabulary/sample-text.ts';
import { writeWhole } from '../write-whole.ts';

export interface TinyEncoderOptions {
  readonly seed?: number | undefined;
  /** Positions that the model has embeddings for: no text can be longer. */
  readonly contextTokens?: number | undefined;
  readonly layers?: number | undefined;
  /** Length of the vectors, a multiple of four heads. */
  readonly hiddenSize?: number | undefined;
  /** It judges pairs of texts instead of giving vectors; default: false. */
  readonly ranks?: boolean | undefined;
  /** Weights that compute nothing but this: a vector of zeros, or no numbers; default: they compute vectors. */
  readonly computes?: keyof typeof uselessWeights | undefined;
}

/** Resolves once the model is whole at `path`: it is written beside it and then renamed into place. */
export async function writeTinyEncoder(path: string, options: TinyEncoderOptions = {}): Promise<void> {
  await writeWhole(path, buildTinyEncoder(options));
}

/** Characters that words of the vocabulary can be spelt with. */
const characters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789.,;:!?\'"()-');
/** How a WordPiece vocabulary in GGUF marks the beginning of a word. */
const wordStart = '\u2581';
const specialTexts = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
const headCount = 4;

/** The bytes of a tiny random BERT in GGUF, which turns texts into vectors: the same options give the same bytes. */
export function buildTinyEncoder(options: TinyEncoderOptions = {}): Buffer {
  const { seed = 1, contextTokens = 128, layers = 2, hiddenSize = 48, ranks = false } = options;
  if (hiddenSize % headCount !== 0) throw new RangeError('hiddenSize must be a multiple of four');
  const texts = buildWordPieces();
  const feedForwardSize = 2 * hiddenSize;
  const metadata = new Map<string, GgufValue>([
    ['general.architecture', { type: 'string', value: 'bert' }],
    ['general.type', { type: 'string', value: 'model' }],
    ['general.name', { type: 'string', value: 'Tiny random BERT' }],
    ['general.file_type', { type: 'u32', value: 0 }],
    ['bert.block_count', { type: 'u32', value: layers }],
    ['bert.context_length', { type: 'u32', value: contextTokens }],
    ['bert.embedding_length', { type: 'u32', value: hiddenSize }],
    ['bert.feed_forward_length', { type: 'u32', value: feedForwardSize }],
    ['bert.attention.head_count', { type: 'u32', value: headCount }],
    ['bert.attention.layer_norm_epsilon', { type: 'f32', value: 1e-12 }],
    ['bert.attention.causal', { type: 'bool', value: false }],
    ['bert.pooling_type', { type: 'u32', value: ranks ? poolingRank : poolingMean }],
    ['tokenizer.ggml.model', { type: 'string', value: 'bert' }],
    ['tokenizer.ggml.token_type_count', { type: 'u32', value: 2 }],
    ['tokenizer.ggml.tokens', { type: 'strings', value: texts }],
    ['tokenizer.ggml.token_type', { type: 'i32s', value: texts.map(tokenTypeOf) }],
    ['tokenizer.ggml.padding_token_id', { type: 'u32', value: 0 }],
    ['tokenizer.ggml.unknown_token_id', { type: 'u32', value: 1 }],
    ['tokenizer.ggml.bos_token_id', { type: 'u32', value: 2 }],
    ['tokenizer.ggml.cls_token_id', { type: 'u32', value: 2 }],
    // Misspelt in the format itself.
    ['tokenizer.ggml.seperator_token_id', { type: 'u32', value: 3 }],
    ['tokenizer.ggml.mask_token_id', { type: 'u32', value: 4 }],
  ]);
  const shape = { vocabularySize: texts.length, contextTokens, layers, hiddenSize, feedForwardSize, ranks };
  const tensors = buildTensors(shape, new RandomStream(seed));
  if (options.computes !== undefined)
    for (const { values } of tensors) values.fill(uselessWeights[options.computes]);
  return encodeGguf(metadata, tensors);
}

const uselessWeights = { zeros: 0, 'no-numbers': Number.NaN } as const;

/** Numbers of llama.cpp's `llama_pooling_type`. */
const poolingMean = 1;
const poolingRank = 4;

/** Numbers of llama.cpp's `llama_token_type`. */
function tokenTypeOf(text: string): number {
  if (text === '[UNK]') return 2;
  return specialTexts.includes(text) ? 3 : 1;
}

/** Special tokens, each character at the beginning of a word and within one, and the words of the sample text. */
function buildWordPieces(): string[] {
  const words = sampleText.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  return [
    ...specialTexts,
    ...characters.flatMap((character) => [wordStart + character, character]),
    ...new Set(words.map((word) => wordStart + word)),
  ];
}

interface EncoderShape {
  readonly vocabularySize: number;
  readonly contextTokens: number;
  readonly layers: number;
  readonly hiddenSize: number;
  readonly feedForwardSize: number;
  readonly ranks: boolean;
}

function buildTensors(shape: EncoderShape, random: RandomStream): GgufTensor[] {
  const { hiddenSize, feedForwardSize } = shape;
  const tensor = (name: string, dimensions: readonly number[], weight: () => number): GgufTensor => {
    const length = dimensions.reduce((product, size) => product * size, 1);
    return { name, dimensions, weightType: 'f32', values: Float32Array.from({ length }, weight) };
  };
  const matrix = (name: string, inputs: number, outputs: number) =>
    tensor(`${name}.weight`, [inputs, outputs], () => random.normal() / Math.sqrt(inputs));
  const linear = (name: string, inputs: number, outputs: number) => [
    matrix(name, inputs, outputs),
    tensor(`${name}.bias`, [outputs], () => random.normal() / 10),
  ];
  const norm = (name: string) => [
    tensor(`${name}.weight`, [hiddenSize], () => 1),
    tensor(`${name}.bias`, [hiddenSize], () => 0),
  ];
  const tensors = [
    tensor('token_embd.weight', [hiddenSize, shape.vocabularySize], () => random.normal()),
    tensor('token_types.weight', [hiddenSize, 2], () => random.normal() / 10),
    tensor('position_embd.weight', [hiddenSize, shape.contextTokens], () => random.normal() / 2),
    ...norm('token_embd_norm'),
  ];
  for (let layer = 0; layer < shape.layers; layer++) {
    const block = `blk.${layer}`;
    tensors.push(
      ...linear(`${block}.attn_q`, hiddenSize, hiddenSize),
      ...linear(`${block}.attn_k`, hiddenSize, hiddenSize),
      ...linear(`${block}.attn_v`, hiddenSize, hiddenSize),
      ...linear(`${block}.attn_output`, hiddenSize, hiddenSize),
      ...norm(`${block}.attn_output_norm`),
      ...linear(`${block}.ffn_up`, hiddenSize, feedForwardSize),
      ...linear(`${block}.ffn_down`, feedForwardSize, hiddenSize),
      ...norm(`${block}.layer_output_norm`),
    );
  }
  if (shape.ranks)
    tensors.push(...linear('cls', hiddenSize, hiddenSize), ...linear('cls.output', hiddenSize, 1));
  return tensors;
}
