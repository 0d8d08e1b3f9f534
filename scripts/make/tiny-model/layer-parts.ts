import type { RandomStream } from '../random-stream.ts';
import type { GgufTensor, GgufValue } from './gguf.ts';

/**
 * The memory of some layers in place of attention: a short convolution (LFM2), a state space, or a matrix of the tokens
 * so far (Qwen 3.5). `mamba2-alone`: each layer is a state space, attention or a feed forward, and nothing besides
 * (Nemotron).
 */
export type Mixer = 'short-convolution' | 'mamba' | 'mamba2' | 'mamba2-alone' | 'delta-net';

/** `biased`: attention has biases too, as in gpt-oss. `shared`: with one that every token asks, behind a gate or not. */
export type Experts = 'plain' | 'biased' | 'shared' | 'shared-gated';

interface Sizes {
  readonly hidden: number;
  readonly layers: number;
  readonly keyHeads: number;
  readonly feedForward: number;
}

const convolvedTokens = {
  'short-convolution': 3,
  mamba: 4,
  mamba2: 4,
  'mamba2-alone': 4,
  'delta-net': 4,
} as const;
const stateSize = 16;
const stateHeads = 4;
/** Of a delta net, for its `stateHeads` values. */
const deltaKeyHeads = 2;
const stepRank = 4;
const experts = 4;
const expertsUsed = 2;
/** Dimensions of the hidden state that no layer writes: see weights.ts. */
const reservedDimensions = 2;

const u32 = (value: number): GgufValue => ({ type: 'u32', value });

/** The parts of a layer besides its norms. In a model of several kinds of layers the even ones have a mixer. */
export function layerKinds(mixer: Mixer | undefined, layer: number) {
  if (mixer === 'mamba2-alone')
    return { hasMixer: layer % 3 === 0, hasAttention: layer % 3 === 1, hasFeedForward: layer % 3 === 2 };
  const hasMixer = mixer === 'mamba' || (mixer !== undefined && layer % 2 === 0);
  return { hasMixer, hasAttention: !hasMixer, hasFeedForward: mixer !== 'mamba' };
}

/** The header's metadata about mixers, by keys without the architecture's name. */
export function mixerMetadata(
  mixer: Mixer,
  { hidden, layers, keyHeads, feedForward }: Sizes,
): Record<string, GgufValue> {
  const kinds = Array.from({ length: layers }, (_, layer) => layerKinds(mixer, layer));
  const heads = kinds.map(({ hasAttention }) => (hasAttention ? keyHeads : 0));
  if (mixer === 'short-convolution')
    return {
      'attention.head_count_kv': { type: 'i32s', value: heads },
      'shortconv.l_cache': u32(convolvedTokens[mixer]),
    };
  if (mixer === 'delta-net')
    return {
      full_attention_interval: u32(2),
      'ssm.conv_kernel': u32(convolvedTokens[mixer]),
      'ssm.group_count': u32(deltaKeyHeads),
      'ssm.inner_size': u32(stateHeads * stateSize),
      'ssm.state_size': u32(stateSize),
      'ssm.time_step_rank': u32(stateHeads),
    };
  return {
    ...(mixer === 'mamba'
      ? { 'attention.head_count': u32(0), feed_forward_length: u32(0) }
      : {
          'attention.head_count_kv': { type: 'i32s' as const, value: heads },
          'ssm.group_count': u32(1),
        }),
    ...(mixer === 'mamba2-alone' && {
      feed_forward_length: {
        type: 'i32s' as const,
        value: kinds.map(({ hasFeedForward }) => (hasFeedForward ? feedForward : 0)),
      },
    }),
    'ssm.conv_kernel': u32(convolvedTokens[mixer]),
    'ssm.inner_size': u32(2 * hidden),
    'ssm.state_size': u32(stateSize),
    'ssm.time_step_rank': u32(mixer === 'mamba' ? stepRank : stateHeads),
  };
}

export const expertMetadata = ({ feedForward }: Sizes): Record<string, GgufValue> => ({
  expert_count: u32(experts),
  expert_used_count: u32(expertsUsed),
  expert_feed_forward_length: u32(feedForward),
});

/** Makes tensors of one layer. */
export class LayerParts {
  readonly #block: string;
  readonly #hidden: number;
  readonly #random: RandomStream;

  constructor(layer: number, hidden: number, random: RandomStream) {
    this.#block = `blk.${layer}`;
    this.#hidden = hidden;
    this.#random = random;
  }

  mixer(mixer: Mixer): GgufTensor[] {
    const hidden = this.#hidden;
    const taps = convolvedTokens[mixer];
    if (mixer === 'short-convolution')
      return [
        this.#matrix('shortconv.conv.weight', [taps, hidden]),
        this.#matrix('shortconv.in_proj.weight', [hidden, 3 * hidden]),
        this.#writer('shortconv.out_proj.weight', [hidden, hidden]),
      ];
    if (mixer === 'delta-net') return this.#deltaNet(taps);
    const inner = 2 * hidden;
    const out = this.#writer('ssm_out.weight', [inner, hidden]);
    if (mixer === 'mamba')
      return [
        this.#matrix('ssm_in.weight', [hidden, 2 * inner]),
        this.#matrix('ssm_conv1d.weight', [taps, inner]),
        this.#constant('ssm_conv1d.bias', [inner], 0),
        this.#matrix('ssm_x.weight', [inner, stepRank + 2 * stateSize]),
        this.#matrix('ssm_dt.weight', [stepRank, inner]),
        this.#constant('ssm_dt.bias', [inner], -2),
        this.#tensor('ssm_a', [stateSize, inner], (at) => -1 - (at % stateSize)),
        this.#constant('ssm_d', [inner], 1),
        out,
      ];
    const convolved = inner + 2 * stateSize;
    return [
      this.#matrix('ssm_in.weight', [hidden, inner + convolved + stateHeads]),
      this.#matrix('ssm_conv1d.weight', [taps, convolved]),
      this.#constant('ssm_conv1d.bias', [convolved], 0),
      this.#constant('ssm_dt.bias', [stateHeads], -2),
      this.#tensor('ssm_a', [1, stateHeads], (at) => -1 - at),
      this.#constant('ssm_d', [1, stateHeads], 1),
      this.#constant('ssm_norm.weight', [inner, 1], 1),
      out,
    ];
  }

  #deltaNet(taps: number): GgufTensor[] {
    const hidden = this.#hidden;
    const values = stateHeads * stateSize;
    const convolved = values + 2 * deltaKeyHeads * stateSize;
    return [
      this.#matrix('attn_qkv.weight', [hidden, convolved]),
      this.#matrix('attn_gate.weight', [hidden, values]),
      this.#matrix('ssm_conv1d.weight', [taps, convolved]),
      this.#constant('ssm_dt.bias', [stateHeads], -2),
      this.#tensor('ssm_a', [stateHeads], (at) => -1 - at),
      this.#matrix('ssm_beta.weight', [hidden, stateHeads]),
      this.#matrix('ssm_alpha.weight', [hidden, stateHeads]),
      this.#constant('ssm_norm.weight', [stateSize], 1),
      this.#writer('ssm_out.weight', [values, hidden]),
    ];
  }

  /** Queries of `size` numbers, with a gate beside each head. */
  gatedQueries(size: number): GgufTensor {
    return this.#matrix('attn_q.weight', [this.#hidden, 2 * size]);
  }

  /** An expert that every token asks, with a gate before it or a bias of the choice among the others. */
  #sharedExpert(feedForward: number, isGated: boolean): GgufTensor[] {
    const hidden = this.#hidden;
    return [
      isGated
        ? this.#matrix('ffn_gate_inp_shexp.weight', [hidden])
        : this.#constant('exp_probs_b.bias', [experts], 0),
      this.#matrix('ffn_gate_shexp.weight', [hidden, feedForward]),
      this.#matrix('ffn_up_shexp.weight', [hidden, feedForward]),
      this.#writer('ffn_down_shexp.weight', [feedForward, hidden]),
    ];
  }

  /** Experts in place of the dense feed forward. `heads`: the number of attention's heads. */
  experts(kind: Experts, feedForward: number, heads: number): GgufTensor[] {
    const hidden = this.#hidden;
    const tensors = [
      this.#matrix('ffn_gate_inp.weight', [hidden, experts]),
      this.#matrix('ffn_gate_exps.weight', [hidden, feedForward, experts]),
      this.#matrix('ffn_up_exps.weight', [hidden, feedForward, experts]),
      this.#writer('ffn_down_exps.weight', [feedForward, hidden, experts]),
    ];
    if (kind === 'shared' || kind === 'shared-gated')
      return [...tensors, ...this.#sharedExpert(feedForward, kind === 'shared-gated')];
    if (kind === 'plain') return tensors;
    const bias = (name: string, dimensions: number[]) => this.#constant(name, dimensions, 0.1);
    return [
      ...tensors,
      bias('ffn_gate_inp.bias', [experts]),
      bias('ffn_gate_exps.bias', [feedForward, experts]),
      bias('ffn_up_exps.bias', [feedForward, experts]),
      this.#constant('ffn_down_exps.bias', [hidden, experts], 0),
      this.#constant('attn_output.bias', [hidden], 0),
      this.#constant('attn_sinks.weight', [heads], 0.5),
    ];
  }

  #matrix(name: string, dimensions: readonly number[]): GgufTensor {
    const deviation = 1.5 / Math.sqrt(dimensions[0] ?? 1);
    return this.#tensor(name, dimensions, () => this.#random.normal() * deviation);
  }

  /** A matrix that writes to the hidden state, but not to its reserved dimensions. */
  #writer(name: string, dimensions: readonly number[]): GgufTensor {
    const tensor = this.#matrix(name, dimensions);
    const [inputs = 0, outputs = 0] = dimensions;
    for (let at = 0; at < tensor.values.length; at += inputs * outputs)
      tensor.values.fill(0, at, at + reservedDimensions * inputs);
    return tensor;
  }

  #constant(name: string, dimensions: readonly number[], value: number): GgufTensor {
    return this.#tensor(name, dimensions, () => value);
  }

  #tensor(name: string, dimensions: readonly number[], valueAt: (at: number) => number): GgufTensor {
    const length = dimensions.reduce((product, dimension) => product * dimension, 1);
    const values = Float32Array.from({ length }, (_, at) => valueAt(at));
    return { name: `${this.#block}.${name}`, dimensions, weightType: 'f32', values };
  }
}
