import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GgmlWriter } from './ggml-writer.ts';
import { outputGain, speakingWeights, stateSize, type SpeakingWeights } from './speaking-weights.ts';
import { speakingTransitions, type SpokenPart } from './transitions.ts';
import { createVocabulary, type SpeechVocabulary } from './vocabulary.ts';

export interface DemoSpeechOptions {
  /** Knows 99 languages, and takes everything for German; else English only. Default: true. */
  readonly multilingual?: boolean | undefined;
  /** Says its last word again and again, until there is no room: for 96 tokens, as it is soon over. Default: false. */
  readonly stutters?: boolean | undefined;
}

export interface DemoSpeech {
  /** Tokens of a prompt and its transcript together. */
  readonly textPositions: number;
  readonly vocabulary: SpeechVocabulary;
  readonly weights: SpeakingWeights;
}

/** The sentence that the model hears in everything. */
export const demoSentence: readonly SpokenPart[] = [
  { words: [' The', ' quick', ' brown', ' fox'], endSeconds: 4 },
  { words: [' jumped', ' over', ' the', ' lazy', ' dog', '.'], endSeconds: 11 },
];

// The dimensions of Whisper's tiny models, but for the size of the state.
const audioPositions = 1500;
const layers = 4;
const heads = 1;
const melBands = 80;
const melFrequencies = 201;
const magic = 0x67676d6c;
const fileTypeF16 = 1;

/** The vocabulary and weights of a demo model. The same options give the same. */
export function createDemoSpeech({
  multilingual = true,
  stutters = false,
}: DemoSpeechOptions = {}): DemoSpeech {
  const words = demoSentence.flatMap((part) => part.words).filter((word) => word.length > 1);
  const vocabulary = createVocabulary(words, multilingual);
  const transitions = speakingTransitions(vocabulary, demoSentence, stutters);
  const weights = speakingWeights(vocabulary.size, transitions);
  return { textPositions: stutters ? 96 : 448, vocabulary, weights };
}

/** Writes a demo model of 3.9 MB: a Whisper file of the usual structure that hears the same in everything. */
export async function writeDemoSpeech(path: string, options: DemoSpeechOptions = {}): Promise<void> {
  const bytes = encode(createDemoSpeech(options));
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, bytes);
  await rename(unfinished, path);
}

function encode({ textPositions, vocabulary, weights }: DemoSpeech): Uint8Array {
  const writer = new GgmlWriter();
  const stack = [stateSize, heads, layers];
  writer.int32(magic, vocabulary.size, audioPositions, ...stack, textPositions, ...stack);
  writer.int32(melBands, fileTypeF16, melBands, melFrequencies);
  writer.float32(new Float32Array(melBands * melFrequencies).fill(0.01));
  writer.int32(vocabulary.texts.length);
  for (const text of vocabulary.texts) writer.token(text);
  writeEncoder(writer);
  writer.tensor('decoder.positional_embedding', [stateSize, textPositions], 'f32');
  writeDecoder(writer, vocabulary.size, weights);
  return writer.bytes();
}

function writeEncoder(writer: GgmlWriter): void {
  writer.tensor('encoder.positional_embedding', [stateSize, audioPositions], 'f32');
  writer.tensor('encoder.conv1.weight', [3, melBands, stateSize], 'f16');
  writer.tensor('encoder.conv1.bias', [1, stateSize], 'f32');
  writer.tensor('encoder.conv2.weight', [3, stateSize, stateSize], 'f16');
  writer.tensor('encoder.conv2.bias', [1, stateSize], 'f32');
  writeNorm(writer, 'encoder.ln_post');
  for (let layer = 0; layer < layers; layer++) {
    const block = `encoder.blocks.${layer}`;
    writeFeedForward(writer, block);
    writeAttention(writer, block, 'attn');
  }
}

function writeDecoder(writer: GgmlWriter, vocabularySize: number, weights: SpeakingWeights): void {
  writer.tensor('decoder.token_embedding.weight', [stateSize, vocabularySize], 'f16', weights.embedding);
  writeNorm(writer, 'decoder.ln', outputGain);
  for (let layer = 0; layer < layers; layer++) {
    const block = `decoder.blocks.${layer}`;
    writeFeedForward(writer, block, layer === 0 ? weights : undefined);
    writeAttention(writer, block, 'attn');
    writeAttention(writer, block, 'cross_attn');
  }
}

function writeFeedForward(writer: GgmlWriter, block: string, weights?: SpeakingWeights): void {
  const hidden = 4 * stateSize;
  writeNorm(writer, `${block}.mlp_ln`);
  writer.tensor(`${block}.mlp.0.weight`, [stateSize, hidden], 'f16', weights?.inner);
  writer.tensor(`${block}.mlp.0.bias`, [hidden], 'f32', weights?.innerBias);
  writer.tensor(`${block}.mlp.2.weight`, [hidden, stateSize], 'f16', weights?.outer);
  writer.tensor(`${block}.mlp.2.bias`, [stateSize], 'f32');
}

function writeAttention(writer: GgmlWriter, block: string, name: 'attn' | 'cross_attn'): void {
  writeNorm(writer, `${block}.${name}_ln`);
  for (const part of ['query', 'key', 'value', 'out']) {
    writer.tensor(`${block}.${name}.${part}.weight`, [stateSize, stateSize], 'f16');
    if (part !== 'key') writer.tensor(`${block}.${name}.${part}.bias`, [stateSize], 'f32');
  }
}

function writeNorm(writer: GgmlWriter, name: string, gain = 1): void {
  writer.tensor(`${name}.weight`, [stateSize], 'f32', new Float32Array(stateSize).fill(gain));
  writer.tensor(`${name}.bias`, [stateSize], 'f32');
}
