import type { GgufTensor, WeightType } from './gguf.ts';
import type { RandomStream } from '../random-stream.ts';
import type { Vocabulary } from './vocabulary/vocabulary.ts';

export interface ModelShape {
  readonly layers: number;
  readonly hiddenSize: number;
  readonly headCount: number;
  readonly headCountKv: number;
  readonly feedForwardSize: number;
  readonly weightType: WeightType;
}

export interface OutputHabits {
  /** Bytes come as they like, so that the text is often not valid UTF-8. */
  readonly strayBytes: boolean;
  /** How much louder the end-of-turn token is than the others; 0: it never comes by itself. */
  readonly endOfTurnGain: number;
  /** No characters but those of ASCII come. */
  readonly asciiOnly: boolean;
}

/**
 * Two dimensions of the hidden state hold no noise and are written by the embedding only: the first is the
 * same for every token, the second says whether the last token ended inside a character. Through them the
 * output head forbids tokens that would make invalid UTF-8: a random model that writes proper text.
 */
const constantDimension = 0;
const characterDimension = 1;
const reservedDimensions = 2;
/** Logits that separate allowed from forbidden tokens: more than any penalty or temperature makes up for. */
const forbiddingLogits = 400;
const logitDeviation = 3;
/** Tokens that end inside a character come less often than whole ones; louder, they are common enough. */
const splitCharacterGain = 1.15;

/** The weights of a Llama-architecture model in the order in which the file holds them. */
export function buildTensors(
  shape: ModelShape,
  vocabulary: Vocabulary,
  habits: OutputHabits,
  random: RandomStream,
): GgufTensor[] {
  const { hiddenSize, feedForwardSize, weightType } = shape;
  const headSize = hiddenSize / shape.headCount;
  const keyValueSize = headSize * shape.headCountKv;

  const matrix = (name: string, inputs: number, outputs: number, deviation: number): GgufTensor => ({
    name: `${name}.weight`,
    dimensions: [inputs, outputs],
    weightType,
    values: Float32Array.from({ length: inputs * outputs }, () => random.normal() * deviation),
  });
  /** A matrix that writes to the hidden state, but not to its reserved dimensions. */
  const writer = (name: string, inputs: number, deviation: number): GgufTensor => {
    const tensor = matrix(name, inputs, hiddenSize, deviation);
    tensor.values.fill(0, 0, reservedDimensions * inputs);
    return tensor;
  };
  // llama.cpp wants the weights of norms in F32, whatever the matrices are.
  const norm = (name: string): GgufTensor => ({
    name: `${name}.weight`,
    dimensions: [hiddenSize],
    weightType: 'f32',
    values: new Float32Array(hiddenSize).fill(1),
  });

  const tensors = [embedding(matrix('token_embd', hiddenSize, vocabulary.entries.length, 0.5), vocabulary)];
  for (let layer = 0; layer < shape.layers; layer++) {
    const block = `blk.${layer}`;
    tensors.push(
      norm(`${block}.attn_norm`),
      // Loud queries and keys make attention pick few tokens, so that the whole context shapes the text.
      matrix(`${block}.attn_q`, hiddenSize, hiddenSize, 2 / Math.sqrt(hiddenSize)),
      matrix(`${block}.attn_k`, hiddenSize, keyValueSize, 2 / Math.sqrt(hiddenSize)),
      matrix(`${block}.attn_v`, hiddenSize, keyValueSize, 1 / Math.sqrt(hiddenSize)),
      writer(`${block}.attn_output`, hiddenSize, 1.5 / Math.sqrt(hiddenSize)),
      norm(`${block}.ffn_norm`),
      matrix(`${block}.ffn_gate`, hiddenSize, feedForwardSize, 1 / Math.sqrt(hiddenSize)),
      matrix(`${block}.ffn_up`, hiddenSize, feedForwardSize, 1 / Math.sqrt(hiddenSize)),
      writer(`${block}.ffn_down`, feedForwardSize, 1.5 / Math.sqrt(feedForwardSize)),
    );
  }
  const head = matrix(
    'output',
    hiddenSize,
    vocabulary.entries.length,
    logitDeviation / Math.sqrt(hiddenSize),
  );
  tensors.push(norm('output_norm'), outputHead(head, vocabulary, habits));
  return tensors;
}

/** As a vocabulary writes it: a blank is Ġ, a line's end Ċ. */
const asciiToken = /^[!-~ĠĊ]+$/;

function embedding(tensor: GgufTensor, { entries }: Vocabulary): GgufTensor {
  const [hiddenSize = 0] = tensor.dimensions;
  entries.forEach(({ exit }, id) => {
    tensor.values[id * hiddenSize + constantDimension] = 1;
    tensor.values[id * hiddenSize + characterDimension] = exit === 'middle' ? 1 : -1;
  });
  return tensor;
}

function outputHead(tensor: GgufTensor, vocabulary: Vocabulary, habits: OutputHabits): GgufTensor {
  const [hiddenSize = 0] = tensor.dimensions;
  vocabulary.entries.forEach(({ kind, text, entry, exit }, id) => {
    const row = tensor.values.subarray(id * hiddenSize, (id + 1) * hiddenSize);
    const isEndOfTurn = id === vocabulary.endOfTurnId;
    const gain = isEndOfTurn ? habits.endOfTurnGain : exit === 'middle' ? splitCharacterGain : 1;
    row.forEach((weight, dimension) => {
      row[dimension] = weight * gain;
    });
    const isForbidden = isEndOfTurn ? habits.endOfTurnGain === 0 : kind === 'control' && entry === undefined;
    const isImpossible = entry === undefined && !habits.strayBytes;
    const isForeign = habits.asciiOnly && !asciiToken.test(text);
    row[constantDimension] = isForbidden || isImpossible || isForeign ? -forbiddingLogits : 0;
    row[characterDimension] = habits.strayBytes ? 0 : (entry === 'middle' ? 1 : -1) * forbiddingLogits;
  });
  return tensor;
}
