import type { GgufTensor, GgufValue, WeightType } from '../tiny-model/gguf.ts';
import { RandomStream } from '../random-stream.ts';

/** The tensors of a file in the making, with weights that keep the size of the values that pass through them. */
export class VoiceTensors {
  readonly all: GgufTensor[] = [];
  readonly #random: RandomStream;
  readonly #matrixType: WeightType;

  constructor(seed: number, matrixType: WeightType) {
    this.#random = new RandomStream(seed);
    this.#matrixType = matrixType;
  }

  /** A matrix, or `count` of them in one tensor, whose outputs are `gain` times as loud as its inputs. */
  matrix(name: string, inputs: number, outputs: number, gain = 1, count?: number): void {
    const dimensions = count === undefined ? [inputs, outputs] : [inputs, outputs, count];
    this.#noise(`${name}.weight`, dimensions, gain / Math.sqrt(inputs), this.#matrixType);
  }

  /** As `matrix`, with a bias. */
  linear(name: string, inputs: number, outputs: number, gain = 1): void {
    this.matrix(name, inputs, outputs, gain);
    this.noise(`${name}.bias`, [outputs], 0.02);
  }

  /**
   * A convolution, in half precision because ggml computes most kinds in no other. `summed`: how many products make
   * up one output, where that is not the kernel times the inputs.
   */
  convolution(name: string, dimensions: readonly number[], options: ConvolutionOptions = {}): void {
    const [kernel = 1, inputs = 1, outputs = 1] = dimensions;
    const { summed = kernel * inputs, gain = 1, biases = outputs, weightType = 'f16' } = options;
    this.#noise(`${name}.weight`, dimensions, gain / Math.sqrt(summed), weightType);
    if (biases > 0) this.noise(`${name}.bias`, [biases], 0.02);
  }

  /** Multiplies the weights of one output of a matrix. */
  scaleRow(name: string, row: number, factor: number): void {
    const tensor = this.all.find((candidate) => candidate.name === name);
    const [inputs = 0] = tensor?.dimensions ?? [];
    const weights = tensor?.values.subarray(row * inputs, (row + 1) * inputs);
    weights?.forEach((weight, index) => (weights[index] = weight * factor));
  }

  norm(name: string, size: number): void {
    this.constant(`${name}.weight`, [size], 1);
    this.constant(`${name}.bias`, [size], 0);
  }

  constant(name: string, dimensions: readonly number[], value: number): void {
    this.values(name, dimensions, () => value);
  }

  noise(name: string, dimensions: readonly number[], deviation: number): void {
    this.#noise(name, dimensions, deviation, 'f32');
  }

  values(name: string, dimensions: readonly number[], valueAt: (index: number) => number): void {
    const values = Float32Array.from({ length: product(dimensions) }, (_, index) => valueAt(index));
    this.all.push({ name, dimensions, weightType: 'f32', values });
  }

  #noise(name: string, dimensions: readonly number[], deviation: number, weightType: WeightType): void {
    const values = new Float32Array(product(dimensions));
    for (let index = 0; index < values.length; index++) values[index] = this.#random.normal() * deviation;
    this.all.push({ name, dimensions, weightType, values });
  }
}

export interface ConvolutionOptions {
  readonly summed?: number;
  readonly gain?: number;
  /** 0: none. */
  readonly biases?: number;
  readonly weightType?: WeightType;
}

export const u32 = (value: number): GgufValue => ({ type: 'u32', value });
export const f32 = (value: number): GgufValue => ({ type: 'f32', value });
export const text = (value: string): GgufValue => ({ type: 'string', value });
export const yes: GgufValue = { type: 'bool', value: true };
export const no: GgufValue = { type: 'bool', value: false };

function product(dimensions: readonly number[]): number {
  return dimensions.reduce((length, dimension) => length * dimension, 1);
}
