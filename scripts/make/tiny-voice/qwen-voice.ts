import { encodeGguf, ggufFileTypes } from '../tiny-model/gguf.ts';
import type { GgufValue, WeightType } from '../tiny-model/gguf.ts';
import { codecVocabulary, endOfSpeechCode, qwenVocabulary } from './qwen-vocabulary.ts';
import { addCodecDecoder, furtherCodes, furtherVocabulary } from './qwen-codec.ts';
import { f32, text, u32, VoiceTensors, yes } from './voice-tensors.ts';

export interface QwenOptions {
  readonly seed: number;
  readonly matrixType: WeightType;
  /** False: speech ends by its budget only. */
  readonly endsByItself: boolean;
}

const hidden = 64;
const heads = 4;
const keyHeads = 2;
const headSize = hidden / heads;
const layers = 2;
const feedForward = 128;
/** How loud codes are, and how much louder the end of speech: it comes after 10 to 50 frames mostly. */
const codeGain = 3;
const endOfSpeechGain = 1.4;

/** Of the network that adds 15 codes to the first of each frame. */
const predictorHidden = 32;
const predictorHeads = 2;

/** Of the voice's encoder, which llama.cpp gives eight branches in each of three blocks. */
const melBins = 16;
const channels = 32;
const branches = 8;
const pooled = 32;
const squeezed = 8;

/** The bytes of the model that reads text and predicts the first code of each frame. */
export function buildQwenModel({ seed, matrixType, endsByItself }: QwenOptions): Buffer {
  const tensors = new VoiceTensors(seed, matrixType);
  const { tokenCount, metadata } = qwenVocabulary();
  tensors.matrix('token_embd', hidden, tokenCount, 0.5 * Math.sqrt(hidden));
  for (let layer = 0; layer < layers; layer++) addModelLayer(tensors, `blk.${layer}`);
  tensors.constant('output_norm.weight', [hidden], 1);
  tensors.matrix('output', hidden, codecVocabulary, codeGain);
  const gain = endsByItself ? endOfSpeechGain : 0;
  tensors.scaleRow('output.weight', endOfSpeechCode, gain);
  const header: [string, GgufValue][] = [
    ['general.architecture', text('qwen3tts')],
    ['general.type', text('model')],
    ['general.name', text('Random Qwen3-TTS')],
    ['general.file_type', u32(ggufFileTypes[matrixType])],
    ['qwen3tts.block_count', u32(layers)],
    ['qwen3tts.context_length', u32(4096)],
    ['qwen3tts.embedding_length', u32(hidden)],
    ['qwen3tts.feed_forward_length', u32(feedForward)],
    ['qwen3tts.attention.head_count', u32(heads)],
    ['qwen3tts.attention.head_count_kv', u32(keyHeads)],
    ['qwen3tts.attention.key_length', u32(headSize)],
    ['qwen3tts.attention.value_length', u32(headSize)],
    ['qwen3tts.attention.layer_norm_rms_epsilon', f32(1e-6)],
    ['qwen3tts.rope.freq_base', f32(1_000_000)],
    ['qwen3tts.rope.dimension_sections', { type: 'i32s', value: [4, 2, 2, 0] }],
    ['qwen3tts.vocab_size', u32(tokenCount)],
    ...metadata,
  ];
  return encodeGguf(new Map(header), tensors.all);
}

function addModelLayer(tensors: VoiceTensors, block: string): void {
  tensors.constant(`${block}.attn_norm.weight`, [hidden], 1);
  tensors.matrix(`${block}.attn_q`, hidden, hidden, 1.5);
  tensors.matrix(`${block}.attn_k`, hidden, headSize * keyHeads, 1.5);
  tensors.matrix(`${block}.attn_v`, hidden, headSize * keyHeads);
  tensors.matrix(`${block}.attn_output`, hidden, hidden);
  tensors.constant(`${block}.attn_q_norm.weight`, [headSize], 1);
  tensors.constant(`${block}.attn_k_norm.weight`, [headSize], 1);
  tensors.constant(`${block}.ffn_norm.weight`, [hidden], 1);
  tensors.matrix(`${block}.ffn_gate`, hidden, feedForward);
  tensors.matrix(`${block}.ffn_up`, hidden, feedForward);
  tensors.matrix(`${block}.ffn_down`, feedForward, hidden);
}

/** The bytes of its projector: the voice's encoder, the further codes of a frame, and the decoder to sound. */
export function buildQwenProjector({ seed, matrixType }: QwenOptions): Buffer {
  const tensors = new VoiceTensors(seed + 1, matrixType);
  addVoiceEncoder(tensors);
  addPredictor(tensors);
  addCodecDecoder(tensors);
  const stage = (kind: string, size: number, blocks: number, headCount: number): [string, GgufValue][] => [
    [`clip.${kind}.projection_dim`, u32(hidden)],
    [`clip.${kind}.embedding_length`, u32(size)],
    [`clip.${kind}.feed_forward_length`, u32(2 * size)],
    [`clip.${kind}.block_count`, u32(blocks)],
    [`clip.${kind}.attention.head_count`, u32(headCount)],
    [`clip.${kind}.attention.layer_norm_epsilon`, f32(1e-6)],
  ];
  const header: [string, GgufValue][] = [
    ['general.architecture', text('clip')],
    ['general.type', text('mmproj')],
    ['general.name', text('Random Qwen3-TTS projector')],
    ['general.file_type', u32(ggufFileTypes[matrixType])],
    ['clip.has_audio_encoder', yes],
    ['clip.audio.projector_type', text('qwen3tts_spkenc')],
    ...stage('audio', pooled, 3, 1),
    ['clip.audio.num_mel_bins', u32(melBins)],
    ['clip.has_gen_audio_encoder', yes],
    ['clip.gen.audio.projector_type', text('qwen3tts_gen')],
    ...stage('gen.audio', predictorHidden, 1, predictorHeads),
    ['clip.gen.audio.attention.head_count_kv', u32(1)],
  ];
  return encodeGguf(new Map(header), tensors.all);
}

function addVoiceEncoder(tensors: VoiceTensors): void {
  // The mels are logarithms of up to 11: quiet weights keep them from drowning the blocks behind.
  tensors.convolution('a.conv1d.0', [5, melBins, channels], { gain: 0.3 });
  for (const block of ['a.blk.1', 'a.blk.2', 'a.blk.3']) {
    tensors.convolution(`${block}.conv_pw1`, [1, channels, channels]);
    for (let branch = 0; branch < branches - 1; branch++)
      tensors.convolution(`${block}.res2.${branch}`, [3, channels / branches, channels / branches]);
    tensors.convolution(`${block}.conv_pw2`, [1, channels, channels]);
    tensors.convolution(`${block}.se_conv1`, [1, channels, squeezed]);
    tensors.convolution(`${block}.se_conv2`, [1, squeezed, channels]);
  }
  tensors.convolution('a.conv_out', [1, 3 * channels, pooled]);
  tensors.convolution('a.asp_tdnn', [1, 3 * pooled, squeezed]);
  tensors.convolution('a.asp_attn', [1, squeezed, pooled]);
  tensors.convolution('mm.a.fc', [1, 2 * pooled, hidden]);
}

function addPredictor(tensors: VoiceTensors): void {
  const prefix = 'a.gen.code';
  const block = `${prefix}.blk.0`;
  const size = predictorHidden / predictorHeads;
  tensors.linear(`${prefix}.proj_in`, hidden, predictorHidden);
  // Sixteen rows of such tables make up the model's next input.
  tensors.matrix(`${prefix}.out_embd`, hidden, codecVocabulary, 0.3 * Math.sqrt(hidden));
  tensors.matrix(`${prefix}.embd`, hidden, furtherVocabulary, 0.1 * Math.sqrt(hidden), furtherCodes);
  tensors.matrix(`${prefix}.head`, predictorHidden, furtherVocabulary, codeGain, furtherCodes);
  tensors.constant(`${prefix}.output_norm.weight`, [predictorHidden], 1);
  tensors.constant(`${block}.ln1.weight`, [predictorHidden], 1);
  tensors.matrix(`${block}.attn_q`, predictorHidden, predictorHidden);
  tensors.matrix(`${block}.attn_k`, predictorHidden, size);
  tensors.matrix(`${block}.attn_v`, predictorHidden, size);
  tensors.matrix(`${block}.attn_out`, predictorHidden, predictorHidden);
  tensors.constant(`${block}.attn_q_norm.weight`, [size], 1);
  tensors.constant(`${block}.attn_k_norm.weight`, [size], 1);
  tensors.constant(`${block}.ln2.weight`, [predictorHidden], 1);
  tensors.matrix(`${block}.ffn_gate`, predictorHidden, 2 * predictorHidden);
  tensors.matrix(`${block}.ffn_up`, predictorHidden, 2 * predictorHidden);
  tensors.matrix(`${block}.ffn_down`, 2 * predictorHidden, predictorHidden);
}
