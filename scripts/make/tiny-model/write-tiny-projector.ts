import { RandomStream } from '../random-stream.ts';
import { encodeGguf } from './gguf.ts';
import type { GgufTensor, GgufValue } from './gguf.ts';
import { writeWhole } from '../write-whole.ts';

/**
 * How a projector's model takes media: `gemma3`: each cell of a picture looks at all of them; `idefics3`: a large
 * picture becomes several; `qwen2vl`: cells have rows and columns; `ultravox`: it hears.
 */
export type ProjectorFamily = 'gemma3' | 'idefics3' | 'qwen2vl' | 'ultravox';

export interface TinyProjectorOptions {
  readonly family?: ProjectorFamily | undefined;
  readonly seed?: number | undefined;
  /** Of the text model, the length of a token's embedding. */
  readonly embeddingSize?: number | undefined;
  /** The kind that the header names; default: the family's own. */
  readonly projectorType?: string | undefined;
}

const hidden = 64;
const heads = 4;
const layers = 2;
const feedForward = 128;
const patch = 14;
const melBins = 16;
/** Positions of half a minute of sound, of which libmtmd always makes its pieces. */
const soundPositions = 1500;
const stackedFrames = 20;

/** Sides of the square that pictures are scaled to; where that depends on the picture, the largest. */
const imageSizes: Record<ProjectorFamily, number> = { gemma3: 112, idefics3: 112, qwen2vl: 112, ultravox: 0 };

/** Resolves once the projector is whole at `path`: it is written beside it and then renamed into place. */
export async function writeTinyProjector(path: string, options: TinyProjectorOptions = {}): Promise<void> {
  await writeWhole(path, buildTinyProjector(options));
}

/** The bytes of a random projector in GGUF: the same options give the same bytes. */
export function buildTinyProjector(options: TinyProjectorOptions = {}): Buffer {
  const { family = 'gemma3', seed = 1, embeddingSize = 64 } = options;
  const random = new RandomStream(seed);
  const tensors: GgufTensor[] = [];
  const add = (name: string, dimensions: readonly number[], deviation: number, mean = 0): void => {
    const length = dimensions.reduce((product, dimension) => product * dimension, 1);
    const values = Float32Array.from(
      { length },
      () => mean + (deviation === 0 ? 0 : random.normal() * deviation),
    );
    tensors.push({ name, dimensions, weightType: convolutions.test(name) ? 'f16' : 'f32', values });
  };
  if (family === 'ultravox') addSoundInput(add);
  else addPictureInput(add, family);
  const prefix = family === 'ultravox' ? 'a' : 'v';
  for (let layer = 0; layer < layers; layer++) addLayer(add, `${prefix}.blk.${layer}`);
  addNorm(add, `${prefix}.post_ln`);
  addOutput(add, family, embeddingSize);
  return encodeGguf(metadataOf(family, embeddingSize, options.projectorType), tensors);
}

type Add = (name: string, dimensions: readonly number[], deviation: number, mean?: number) => void;

/** ggml computes convolutions with half precision only. */
const convolutions = /patch_embd\.weight|conv1d\.\d\.weight/;

function addPictureInput(add: Add, family: ProjectorFamily): void {
  const deviation = 1 / Math.sqrt(patch * patch * 3);
  add('v.patch_embd.weight', [patch, patch, 3, hidden], deviation);
  if (family === 'qwen2vl') {
    add('v.patch_embd.weight.1', [patch, patch, 3, hidden], deviation);
    return;
  }
  add('v.patch_embd.bias', [hidden], 0.02);
  add('v.position_embd.weight', [hidden, (imageSizes[family] / patch) ** 2], 0.5);
}

function addSoundInput(add: Add): void {
  add('a.conv1d.1.weight', [3, melBins, hidden], 1 / Math.sqrt(3 * melBins));
  add('a.conv1d.1.bias', [1, hidden], 0.02);
  add('a.conv1d.2.weight', [3, hidden, hidden], 1 / Math.sqrt(3 * hidden));
  add('a.conv1d.2.bias', [1, hidden], 0.02);
  add('a.position_embd.weight', [hidden, soundPositions], 0.5);
}

function addLayer(add: Add, prefix: string): void {
  for (const name of ['attn_q', 'attn_k', 'attn_v', 'attn_out']) {
    add(`${prefix}.${name}.weight`, [hidden, hidden], 1 / Math.sqrt(hidden));
    if (name !== 'attn_k' || prefix.startsWith('v')) add(`${prefix}.${name}.bias`, [hidden], 0.02);
  }
  addNorm(add, `${prefix}.ln1`);
  addNorm(add, `${prefix}.ln2`);
  add(`${prefix}.ffn_up.weight`, [hidden, feedForward], 1 / Math.sqrt(hidden));
  add(`${prefix}.ffn_up.bias`, [feedForward], 0.02);
  add(`${prefix}.ffn_down.weight`, [feedForward, hidden], 1 / Math.sqrt(feedForward));
  add(`${prefix}.ffn_down.bias`, [hidden], 0.02);
}

function addNorm(add: Add, name: string): void {
  add(`${name}.weight`, [hidden], 0, 1);
  add(`${name}.bias`, [hidden], 0);
}

function addOutput(add: Add, family: ProjectorFamily, embeddingSize: number): void {
  switch (family) {
    case 'gemma3':
      add('mm.input_projection.weight', [embeddingSize, hidden], 1 / Math.sqrt(hidden));
      add('mm.soft_emb_norm.weight', [hidden], 0, 1);
      return;
    case 'idefics3':
      add('mm.model.fc.weight', [hidden * 4, embeddingSize], 1 / Math.sqrt(hidden * 4));
      return;
    case 'qwen2vl':
      add('mm.0.weight', [hidden * 4, hidden * 4], 1 / Math.sqrt(hidden * 4));
      add('mm.0.bias', [hidden * 4], 0.02);
      add('mm.2.weight', [hidden * 4, embeddingSize], 1 / Math.sqrt(hidden * 4));
      add('mm.2.bias', [embeddingSize], 0.02);
      return;
    case 'ultravox':
      add('mm.a.norm_pre.weight', [hidden * stackedFrames], 0, 1);
      add('mm.a.mlp.1.weight', [hidden * stackedFrames, hidden * 2], 1 / Math.sqrt(hidden * stackedFrames));
      add('mm.a.norm_mid.weight', [hidden], 0, 1);
      add('mm.a.mlp.2.weight', [hidden, embeddingSize], 1 / Math.sqrt(hidden));
      return;
    default:
      family satisfies never;
  }
}

const projectorTypes: Record<ProjectorFamily, string> = {
  gemma3: 'gemma3',
  idefics3: 'idefics3',
  qwen2vl: 'qwen2vl_merger',
  ultravox: 'ultravox',
};

function metadataOf(
  family: ProjectorFamily,
  embeddingSize: number,
  projectorType = projectorTypes[family],
): Map<string, GgufValue> {
  const hears = family === 'ultravox';
  const kind = hears ? 'audio' : 'vision';
  const u32 = (value: number): GgufValue => ({ type: 'u32', value });
  const text = (value: string): GgufValue => ({ type: 'string', value });
  return new Map<string, GgufValue>([
    ['general.architecture', text('clip')],
    ['general.type', text('mmproj')],
    ['general.name', text(`Tiny random ${family} projector`)],
    ['general.file_type', u32(0)],
    [`clip.has_${kind}_encoder`, { type: 'bool', value: true }],
    ['clip.projector_type', text(projectorType)],
    ['clip.use_gelu', { type: 'bool', value: true }],
    [`clip.${kind}.embedding_length`, u32(hidden)],
    [`clip.${kind}.feed_forward_length`, u32(feedForward)],
    [`clip.${kind}.block_count`, u32(layers)],
    [`clip.${kind}.projection_dim`, u32(embeddingSize)],
    [`clip.${kind}.attention.head_count`, u32(heads)],
    [`clip.${kind}.attention.layer_norm_epsilon`, { type: 'f32', value: 1e-6 }],
    ...(hears ? soundMetadata(u32) : pictureMetadata(family, u32)),
  ]);
}

function soundMetadata(u32: (value: number) => GgufValue): [string, GgufValue][] {
  return [
    ['clip.audio.num_mel_bins', u32(melBins)],
    ['clip.audio.projector.stack_factor', u32(stackedFrames)],
  ];
}

function pictureMetadata(family: ProjectorFamily, u32: (value: number) => GgufValue): [string, GgufValue][] {
  const scale: [string, GgufValue][] = [
    ['clip.vision.projector.scale_factor', u32(2)],
    ['clip.vision.preproc_image_size', u32(2 * imageSizes[family])],
  ];
  return [
    ['clip.vision.image_size', u32(imageSizes[family])],
    ['clip.vision.patch_size', u32(patch)],
    ['clip.vision.image_mean', { type: 'f32s', value: [0.5, 0.5, 0.5] }],
    ['clip.vision.image_std', { type: 'f32s', value: [0.5, 0.5, 0.5] }],
    ...(family === 'qwen2vl' ? [] : scale),
  ];
}
