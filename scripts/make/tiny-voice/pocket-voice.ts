import { encodeGguf, ggufFileTypes } from '../tiny-model/gguf.ts';
import type { GgufValue, WeightType } from '../tiny-model/gguf.ts';
import { pocketVocabulary } from './pocket-vocabulary.ts';
import { f32, text, u32, VoiceTensors, yes } from './voice-tensors.ts';

/** Sizes of the parts of Pocket TTS; llama.cpp reads them from the file. */
export interface PocketSizes {
  readonly vocabulary: number;
  readonly hidden: number;
  readonly heads: number;
  readonly layers: number;
  readonly feedForward: number;
  /** Of the codec's two transformers, before and behind the frames. */
  readonly codecHidden: number;
  readonly codecHeads: number;
  readonly codecLayers: number;
  readonly codecFeedForward: number;
  /** Channels of the codec's convolutions at the full sample rate; each of three stages doubles them. */
  readonly channels: number;
  /** Of the network that makes a frame out of noise. */
  readonly flowHidden: number;
  readonly flowBlocks: number;
  readonly flowFrequencies: number;
}

export const tinyPocket: PocketSizes = {
  vocabulary: 0,
  hidden: 64,
  heads: 4,
  layers: 2,
  feedForward: 128,
  codecHidden: 32,
  codecHeads: 2,
  codecLayers: 1,
  codecFeedForward: 64,
  channels: 4,
  flowHidden: 32,
  flowBlocks: 2,
  flowFrequencies: 8,
};

/** The sizes of the English Pocket TTS, 100 million weights. */
export const fullPocket: PocketSizes = {
  vocabulary: 4003,
  hidden: 1024,
  heads: 16,
  layers: 6,
  feedForward: 4096,
  codecHidden: 512,
  codecHeads: 8,
  codecLayers: 2,
  codecFeedForward: 2048,
  channels: 64,
  flowHidden: 512,
  flowBlocks: 6,
  flowFrequencies: 128,
};

export interface PocketOptions {
  readonly seed: number;
  readonly sizes: PocketSizes;
  readonly matrixType: WeightType;
  /** False: speech ends by its budget only. */
  readonly endsByItself: boolean;
}

/** Sizes that llama.cpp has fixed for the family: numbers in a frame, and the codec's strides from frames to samples. */
const frameSize = 32;
const strides = [4, 5, 6];
const frameStride = 16;
/** The score above which speech ends. */
const endOfSpeechThreshold = -4;
/** The scores' deviation and how far their mean is below the threshold: speech ends after 10 to 50 frames mostly. */
const endOfSpeechGain = 4;
const endOfSpeechDistance = 6;

/** The bytes of the model that reads text and predicts frames. */
export function buildPocketModel(options: PocketOptions): Buffer {
  const { hidden, heads, layers, feedForward, vocabulary } = options.sizes;
  const tensors = new VoiceTensors(options.seed, options.matrixType);
  const { pieceCount, metadata } = pocketVocabulary(vocabulary);
  tensors.matrix('token_embd', hidden, pieceCount, 0.5 * Math.sqrt(hidden));
  for (let layer = 0; layer < layers; layer++) {
    const block = `blk.${layer}`;
    tensors.norm(`${block}.attn_norm`, hidden);
    tensors.matrix(`${block}.attn_q`, hidden, hidden, 1.5);
    tensors.matrix(`${block}.attn_k`, hidden, hidden, 1.5);
    tensors.matrix(`${block}.attn_v`, hidden, hidden);
    tensors.matrix(`${block}.attn_output`, hidden, hidden);
    tensors.norm(`${block}.ffn_norm`, hidden);
    tensors.matrix(`${block}.ffn_up`, hidden, feedForward);
    tensors.matrix(`${block}.ffn_down`, feedForward, hidden);
  }
  tensors.norm('output_norm', hidden);
  const header: [string, GgufValue][] = [
    ['general.architecture', text('pockettts')],
    ['general.type', text('model')],
    ['general.name', text('Random Pocket TTS')],
    ['general.file_type', u32(ggufFileTypes[options.matrixType])],
    ['pockettts.block_count', u32(layers)],
    ['pockettts.context_length', u32(4096)],
    ['pockettts.embedding_length', u32(hidden)],
    ['pockettts.feed_forward_length', u32(feedForward)],
    ['pockettts.attention.head_count', u32(heads)],
    ['pockettts.attention.layer_norm_epsilon', f32(1e-5)],
    ['pockettts.rope.freq_base', f32(10_000)],
    ['pockettts.vocab_size', u32(pieceCount)],
    ...metadata,
  ];
  return encodeGguf(new Map(header), tensors.all);
}

/** The bytes of its projector: the voice's encoder, the network that makes frames, and the decoder to sound. */
export function buildPocketProjector(options: PocketOptions): Buffer {
  const { sizes, matrixType } = options;
  const tensors = new VoiceTensors(options.seed + 1, matrixType);
  addVoiceEncoder(tensors, sizes);
  addFlow(tensors, sizes);
  addEndOfSpeech(tensors, sizes, options.endsByItself);
  addDecoder(tensors, sizes);
  const stage = (kind: string): [string, GgufValue][] => [
    [`clip.${kind}.projection_dim`, u32(sizes.hidden)],
    [`clip.${kind}.embedding_length`, u32(sizes.codecHidden)],
    [`clip.${kind}.feed_forward_length`, u32(sizes.codecFeedForward)],
    [`clip.${kind}.block_count`, u32(sizes.codecLayers)],
    [`clip.${kind}.attention.head_count`, u32(sizes.codecHeads)],
    [`clip.${kind}.attention.layer_norm_epsilon`, f32(1e-5)],
  ];
  const header: [string, GgufValue][] = [
    ['general.architecture', text('clip')],
    ['general.type', text('mmproj')],
    ['general.name', text('Random Pocket TTS projector')],
    ['general.file_type', u32(ggufFileTypes[matrixType])],
    ['clip.has_audio_encoder', yes],
    ['clip.audio.projector_type', text('pockettts_spkenc')],
    ...stage('audio'),
    ['clip.audio.num_mel_bins', u32(1)],
    ['clip.has_gen_audio_encoder', yes],
    ['clip.gen.audio.projector_type', text('pockettts_gen')],
    ...stage('gen.audio'),
    ['clip.gen.audio.model_variant', text('english')],
  ];
  return encodeGguf(new Map(header), tensors.all);
}

function addVoiceEncoder(tensors: VoiceTensors, sizes: PocketSizes): void {
  const { channels, codecHidden, hidden } = sizes;
  tensors.convolution('a.seanet.conv_in', [7, 1, channels], { gain: 3 });
  strides.forEach((stride, index) => {
    const inputs = channels * 2 ** index;
    const block = `a.seanet.blk.${index}`;
    addResidual(tensors, block, inputs);
    tensors.convolution(`${block}.scale_conv`, [2 * stride, inputs, 2 * inputs]);
  });
  tensors.convolution('a.seanet.conv_out', [3, channels * 2 ** strides.length, codecHidden]);
  addTransformer(tensors, 'a', sizes);
  tensors.convolution('a.downsample.conv', [2 * frameStride, codecHidden, frameSize], { biases: 0 });
  tensors.matrix('a.speaker_proj', frameSize, hidden, 0.5);
}

function addDecoder(tensors: VoiceTensors, sizes: PocketSizes): void {
  const { channels, codecHidden } = sizes;
  const prefix = 'a.gen.wav';
  tensors.matrix(`${prefix}.quant_out`, frameSize, codecHidden);
  tensors.convolution(`${prefix}.upsample`, [2 * frameStride, 1, codecHidden], { summed: 2, biases: 0 });
  addTransformer(tensors, `${prefix}.tfm`, sizes);
  const widest = channels * 2 ** strides.length;
  tensors.convolution(`${prefix}.seanet.conv_in`, [7, codecHidden, widest]);
  strides.toReversed().forEach((stride, index) => {
    const inputs = widest / 2 ** index;
    const block = `${prefix}.seanet.blk.${index}`;
    // A transposed convolution: outputs come before inputs, and two steps of the kernel meet in each output.
    const options = { summed: 2 * inputs, biases: inputs / 2 };
    tensors.convolution(`${block}.scale_conv`, [2 * stride, inputs / 2, inputs], options);
    addResidual(tensors, block, inputs / 2);
  });
  tensors.convolution(`${prefix}.seanet.conv_out`, [3, channels, 1], { gain: 0.1 });
}

function addResidual(tensors: VoiceTensors, block: string, channels: number): void {
  tensors.convolution(`${block}.res_conv1`, [3, channels, channels / 2]);
  tensors.convolution(`${block}.res_conv2`, [1, channels / 2, channels], { gain: 0.5 });
}

function addTransformer(tensors: VoiceTensors, prefix: string, sizes: PocketSizes): void {
  const { codecHidden, codecFeedForward } = sizes;
  for (let layer = 0; layer < sizes.codecLayers; layer++) {
    const block = `${prefix}.blk.${layer}`;
    tensors.norm(`${block}.ln1`, codecHidden);
    for (const name of ['attn_q', 'attn_k', 'attn_v', 'attn_out'])
      tensors.matrix(`${block}.${name}`, codecHidden, codecHidden);
    tensors.constant(`${block}.ls1.weight`, [codecHidden], 0.5);
    tensors.norm(`${block}.ln2`, codecHidden);
    tensors.matrix(`${block}.ffn_up`, codecHidden, codecFeedForward);
    tensors.matrix(`${block}.ffn_down`, codecFeedForward, codecHidden);
    tensors.constant(`${block}.ls2.weight`, [codecHidden], 0.5);
  }
}

function addFlow(tensors: VoiceTensors, sizes: PocketSizes): void {
  const { hidden, flowHidden, flowFrequencies } = sizes;
  const prefix = 'a.gen.flow';
  tensors.linear(`${prefix}.input_proj`, frameSize, flowHidden);
  tensors.linear(`${prefix}.cond_embd`, hidden, flowHidden);
  for (const time of [0, 1]) {
    const block = `${prefix}.time.${time}`;
    tensors.values(`${block}.freqs`, [flowFrequencies], (index) => 1 / (index + 1));
    tensors.linear(`${block}.up`, 2 * flowFrequencies, flowHidden);
    tensors.linear(`${block}.down`, flowHidden, flowHidden);
    tensors.constant(`${block}.norm`, [flowHidden], 0.5);
  }
  for (let index = 0; index < sizes.flowBlocks; index++) {
    const block = `${prefix}.blk.${index}`;
    tensors.norm(`${block}.norm`, flowHidden);
    tensors.linear(`${block}.up`, flowHidden, flowHidden);
    tensors.linear(`${block}.down`, flowHidden, flowHidden);
    tensors.linear(`${block}.ada`, flowHidden, 3 * flowHidden);
  }
  tensors.linear(`${prefix}.final.ada`, flowHidden, 2 * flowHidden);
  tensors.linear(`${prefix}.final.proj`, flowHidden, frameSize);
}

function addEndOfSpeech(tensors: VoiceTensors, { hidden }: PocketSizes, endsByItself: boolean): void {
  tensors.matrix('a.gen.out_eos', hidden, 1, endsByItself ? endOfSpeechGain : 0);
  tensors.constant('a.gen.out_eos.bias', [1], endOfSpeechThreshold - endOfSpeechDistance);
  tensors.matrix('a.gen.input_linear', frameSize, hidden, 2);
  tensors.constant('a.gen.emb_mean', [frameSize], 0);
  tensors.constant('a.gen.emb_std', [frameSize], 1);
}
