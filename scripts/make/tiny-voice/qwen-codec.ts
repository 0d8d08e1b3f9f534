import { soundCodes } from './qwen-vocabulary.ts';
import type { VoiceTensors } from './voice-tensors.ts';

/** Codes of a frame beside the first, and how many values each has. */
export const furtherCodes = 15;
export const furtherVocabulary = 32;

const codebookSize = 16;
const hidden = 32;
/** llama.cpp has fixed that there are 8 layers of 16 heads; two numbers are the least that a head can turn. */
const layers = 8;
const attention = 16 * 2;
/** From frames of 80 ms to samples, as llama.cpp counts them: twice by 2 and then by these. */
const strides = [8, 5, 4, 3];

/** Adds the tensors of the decoder, which turns codes into sound. */
export function addCodecDecoder(tensors: VoiceTensors): void {
  const prefix = 'a.gen.wav';
  addCodebooks(tensors, `${prefix}.quant`);
  tensors.convolution(`${prefix}.pre_conv`, [3, hidden, hidden]);
  tensors.linear(`${prefix}.tfm.in_proj`, hidden, hidden);
  for (let layer = 0; layer < layers; layer++) addLayer(tensors, `${prefix}.tfm.blk.${layer}`);
  tensors.constant(`${prefix}.tfm.output_norm.weight`, [hidden], 1);
  tensors.linear(`${prefix}.tfm.out_proj`, hidden, hidden);
  for (const index of [0, 1]) addUpsampling(tensors, `${prefix}.up.blk.${index}`);
  addSynthesis(tensors, `${prefix}.dac`);
}

function addCodebooks(tensors: VoiceTensors, prefix: string): void {
  const row = Math.sqrt(codebookSize);
  tensors.matrix(`${prefix}.first.codebook`, codebookSize, soundCodes, row);
  tensors.matrix(`${prefix}.rest.codebook`, codebookSize, furtherVocabulary, 0.3 * row, furtherCodes);
  for (const group of ['first', 'rest']) {
    tensors.matrix(`${prefix}.${group}.in_proj`, hidden, codebookSize);
    tensors.matrix(`${prefix}.${group}.out_proj`, codebookSize, hidden);
  }
}

function addLayer(tensors: VoiceTensors, block: string): void {
  tensors.constant(`${block}.ln1.weight`, [hidden], 1);
  for (const name of ['attn_q', 'attn_k', 'attn_v']) tensors.matrix(`${block}.${name}`, hidden, attention);
  tensors.matrix(`${block}.attn_out`, attention, hidden);
  tensors.constant(`${block}.ls1.weight`, [hidden], 0.3);
  tensors.constant(`${block}.ln2.weight`, [hidden], 1);
  tensors.matrix(`${block}.ffn_gate`, hidden, hidden);
  tensors.matrix(`${block}.ffn_up`, hidden, hidden);
  tensors.matrix(`${block}.ffn_down`, hidden, hidden);
  tensors.constant(`${block}.ls2.weight`, [hidden], 0.3);
}

function addUpsampling(tensors: VoiceTensors, block: string): void {
  tensors.convolution(`${block}.conv`, [2, hidden, hidden], { summed: hidden, weightType: 'f32' });
  tensors.convolution(`${block}.dwconv`, [7, 1, hidden]);
  tensors.norm(`${block}.norm`, hidden);
  tensors.linear(`${block}.pw1`, hidden, 2 * hidden);
  tensors.linear(`${block}.pw2`, 2 * hidden, hidden);
  tensors.constant(`${block}.gamma`, [hidden], 0.3);
}

function addSynthesis(tensors: VoiceTensors, prefix: string): void {
  tensors.convolution(`${prefix}.entry`, [7, hidden, hidden]);
  strides.forEach((stride, index) => {
    const inputs = hidden / 2 ** index;
    const outputs = inputs / 2;
    const block = `${prefix}.blk.${index}`;
    addSnake(tensors, `${block}.snake`, inputs);
    // A transposed convolution: outputs come before inputs, and two steps of the kernel meet in each output.
    tensors.convolution(`${block}.conv`, [2 * stride, outputs, inputs], {
      summed: 2 * inputs,
      biases: outputs,
      weightType: 'f32',
    });
    for (const unit of [0, 1, 2]) {
      addSnake(tensors, `${block}.res.${unit}.act1`, outputs);
      tensors.convolution(`${block}.res.${unit}.conv1`, [7, outputs, outputs]);
      addSnake(tensors, `${block}.res.${unit}.act2`, outputs);
      tensors.convolution(`${block}.res.${unit}.conv2`, [1, outputs, outputs], { gain: 0.5 });
    }
  });
  const last = hidden / 2 ** strides.length;
  addSnake(tensors, `${prefix}.post_snake`, last);
  tensors.convolution(`${prefix}.post_conv`, [7, last, 1], { gain: 0.015 });
}

function addSnake(tensors: VoiceTensors, name: string, size: number): void {
  tensors.constant(`${name}.alpha`, [size], 1);
  tensors.constant(`${name}.beta`, [size], 0.3);
}
