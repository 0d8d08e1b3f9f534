import type { RandomStream } from '../random-stream.ts';
import type { GgufTensor, GgufValue } from './gguf.ts';
import {
  expertMetadata,
  layerKinds,
  LayerParts,
  mixerMetadata,
  type Experts,
  type Mixer,
} from './layer-parts.ts';

/** Architectures that are Llama's with other parts in its layers; the last eight remember in ways of their own. */
export const architectures = [
  'llama',
  'qwen2',
  'qwen3',
  'phi3',
  'gemma3',
  'olmo2',
  'granite',
  'granitemoe',
  'lfm2',
  'granitehybrid',
  'nemotron_h',
  'mamba',
  'gpt-oss',
  'qwen35',
  'gemma4',
] as const;
/**
 * In a Qwen2-VL besides, tokens of pictures have a row and a column in place of one position; GLM 4.5 has a draft head.
 */
export type Architecture = (typeof architectures)[number] | 'qwen2vl' | 'qwen35moe' | 'glm4moe';

interface Change {
  /** Norms that each layer has besides, each with its length: of the hidden state, of a head, or of all keys. */
  readonly norms?: Readonly<Record<string, 'hidden' | 'head' | 'keys'>>;
  readonly hasBiases?: boolean;
  /** Matrices of a layer that are one: their rows follow each other. */
  readonly joined?: Readonly<Record<string, readonly string[]>>;
  readonly without?: readonly string[];
  readonly metadata?: Readonly<Record<string, GgufValue>>;
  /** Queries have a gate beside each head, by which its result is multiplied. */
  readonly hasGates?: boolean;
  /** Every other layer looks back on the last tokens only, and the last layers read keys and values of earlier ones. */
  readonly hasSharedWindows?: boolean;
  /** The memory that layers have in place of attention. */
  readonly mixer?: Mixer;
  /** Experts in place of the dense feed forward. */
  readonly experts?: Experts;
  /** Other names for tensors, or for those of each layer. */
  readonly renamed?: Readonly<Record<string, string>>;
}

const f32 = (value: number): GgufValue => ({ type: 'f32', value });
const u32 = (value: number): GgufValue => ({ type: 'u32', value });
const headNorms = { attn_q_norm: 'head', attn_k_norm: 'head' } as const;
const postNorms = { post_attention_norm: 'hidden', post_ffw_norm: 'hidden' } as const;

const qwen35: Change = {
  norms: headNorms,
  hasGates: true,
  mixer: 'delta-net',
  renamed: { ffn_norm: 'post_attention_norm' },
  metadata: { 'rope.dimension_sections': { type: 'i32s', value: [2, 3, 3, 0] } },
};

const changes: Readonly<Record<Architecture, Change>> = {
  llama: {},
  qwen2: { hasBiases: true },
  qwen2vl: {
    hasBiases: true,
    // How many pairs of a head's dimensions each dimension of a position turns.
    metadata: { 'rope.dimension_sections': { type: 'i32s', value: [2, 3, 3, 0] } },
  },
  qwen3: { norms: headNorms },
  phi3: { joined: { attn_qkv: ['attn_q', 'attn_k', 'attn_v'], ffn_up: ['ffn_gate', 'ffn_up'] } },
  gemma3: {
    norms: { ...headNorms, ...postNorms },
    metadata: { 'attention.sliding_window': u32(32) },
  },
  olmo2: {
    norms: { ...postNorms, attn_q_norm: 'hidden', attn_k_norm: 'keys' },
    without: ['attn_norm.weight', 'ffn_norm.weight'],
  },
  granite: {
    metadata: {
      logit_scale: f32(0.5),
      residual_scale: f32(0.7),
      embedding_scale: f32(3),
      'attention.scale': f32(0.2),
    },
  },
  granitemoe: {
    experts: 'plain',
    metadata: {
      logit_scale: f32(0.5),
      residual_scale: f32(0.7),
      embedding_scale: f32(3),
      'attention.scale': f32(0.2),
    },
  },
  lfm2: { norms: headNorms, mixer: 'short-convolution', renamed: { output_norm: 'token_embd_norm' } },
  granitehybrid: { mixer: 'mamba2', metadata: { 'rope.scaling.finetuned': { type: 'bool', value: true } } },
  nemotron_h: {
    mixer: 'mamba2-alone',
    without: ['ffn_norm.weight', 'ffn_gate.weight'],
    metadata: { 'attention.layer_norm_epsilon': f32(1e-5) },
  },
  mamba: { mixer: 'mamba', without: ['ffn_norm.weight'] },
  'gpt-oss': {
    experts: 'biased',
    hasBiases: true,
    renamed: { ffn_norm: 'post_attention_norm' },
    metadata: { 'attention.sliding_window': u32(32) },
  },
  qwen35,
  qwen35moe: { ...qwen35, experts: 'shared-gated' },
  glm4moe: {
    norms: headNorms,
    experts: 'shared',
    renamed: { ffn_norm: 'post_attention_norm' },
    metadata: { expert_shared_count: u32(1), expert_weights_scale: f32(1) },
  },
  gemma4: { norms: { ...headNorms, ...postNorms }, hasSharedWindows: true },
};

/** Every other layer has a window, the first one too. Those without keys of their own are an even number. */
function sharedWindowMetadata({ layers, head }: ModelSizes): Record<string, GgufValue> {
  const pattern = Array.from({ length: layers }, (_, layer) => (layer + 1) % 2);
  return {
    'attention.sliding_window': u32(32),
    'attention.sliding_window_pattern': { type: 'i32s', value: pattern },
    'attention.shared_kv_layers': u32(2 * Math.floor(layers / 4)),
    'attention.key_length_swa': u32(head),
    'attention.value_length_swa': u32(head),
    'rope.dimension_count_swa': u32(head),
    embedding_length_per_layer_input: u32(0),
    // None: logits that forbid tokens are far beyond any cap.
    final_logit_softcapping: f32(0),
  };
}

/** The sizes of a model, and of its parts. */
export interface ModelSizes {
  readonly hidden: number;
  readonly head: number;
  readonly keys: number;
  readonly keyHeads: number;
  /** Without a draft head. */
  readonly layers: number;
  readonly feedForward: number;
}

/** The header's metadata for a model of this architecture, where `metadata` is that of a Llama. */
export function metadataOf(
  architecture: Architecture,
  metadata: readonly (readonly [string, GgufValue])[],
  sizes: ModelSizes,
): [string, GgufValue][] {
  const { mixer, experts, hasSharedWindows, metadata: others } = changes[architecture];
  const own = Object.entries({
    ...others,
    ...(hasSharedWindows && sharedWindowMetadata(sizes)),
    ...(mixer && mixerMetadata(mixer, sizes)),
    ...(experts && expertMetadata(sizes)),
  });
  return [
    ...metadata.map(([key, value]): [string, GgufValue] => [
      key.replace(/^llama\./, `${architecture}.`),
      key === 'general.architecture' ? { type: 'string', value: architecture } : value,
    ]),
    ...own.map(([key, value]): [string, GgufValue] => [`${architecture}.${key}`, value]),
  ];
}

/** The tensors of a model of this architecture, made from those of a Llama. */
export function tensorsOf(
  architecture: Architecture,
  llama: readonly GgufTensor[],
  sizes: ModelSizes,
  random: RandomStream,
): GgufTensor[] {
  const { renamed = {} } = changes[architecture];
  return changeLayers(architecture, llama, sizes, random).map((tensor) => {
    const [whole, before = '', name = ''] = /^(blk\.\d+\.|)(.+)\.weight$/.exec(tensor.name) ?? [];
    const other = renamed[name];
    return whole === undefined || other === undefined
      ? tensor
      : { ...tensor, name: `${before}${other}.weight` };
  });
}

function changeLayers(
  architecture: Architecture,
  llama: readonly GgufTensor[],
  sizes: ModelSizes,
  random: RandomStream,
): GgufTensor[] {
  const change = changes[architecture];
  const { norms = {}, hasBiases = false, joined = {}, without = [], mixer, experts } = change;
  const vector = (name: string, size: number, mean: number): GgufTensor => ({
    name,
    dimensions: [size],
    weightType: 'f32',
    values: Float32Array.from({ length: size }, () => mean + random.normal() * 0.2),
  });
  const parts = Object.values(joined).flat();
  const changed = llama.flatMap((tensor) => {
    const { name, dimensions } = tensor;
    const [, layer = '', part = ''] = /^(blk\.\d+)\.(\w+)\.weight$/.exec(name) ?? [];
    const index = Number(layer.slice('blk.'.length));
    const partsOfLayer = () => new LayerParts(index, sizes.hidden, random);
    const { hasMixer, hasAttention, hasFeedForward } = layerKinds(
      index < sizes.layers ? mixer : undefined,
      index,
    );
    if (!hasAttention && part.startsWith('attn_') && part !== 'attn_norm')
      return hasMixer && mixer !== undefined && part === 'attn_q' ? partsOfLayer().mixer(mixer) : [];
    if (!hasFeedForward && part.startsWith('ffn_')) return [];
    if (experts !== undefined && part.startsWith('ffn_') && part !== 'ffn_norm')
      return part === 'ffn_gate'
        ? partsOfLayer().experts(experts, sizes.feedForward, sizes.hidden / sizes.head)
        : [];
    if (without.some((end) => name === end || name === `${layer}.${end}`)) return [];
    if (hasBiases && /^attn_[qkv]$/.test(part))
      return [tensor, vector(`${layer}.${part}.bias`, dimensions[1] ?? 0, 0)];
    if (change.hasGates && part === 'attn_q') return partsOfLayer().gatedQueries(dimensions[1] ?? 0);
    if (part === 'attn_output') {
      const added = Object.entries(norms).map(([norm, size]) =>
        vector(`${layer}.${norm}.weight`, sizes[size], 1),
      );
      return [tensor, ...added];
    }
    if (!parts.includes(part)) return [tensor];
    return Object.entries(joined)
      .filter(([, [first]]) => first === part)
      .map(([whole, names]) =>
        join(
          `${layer}.${whole}.weight`,
          names.flatMap((one) => llama.filter((other) => other.name === `${layer}.${one}.weight`)),
        ),
      );
  });
  return change.hasSharedWindows ? [...changed, vector('rope_freqs.weight', sizes.head / 2, 1)] : changed;
}

function join(name: string, tensors: readonly GgufTensor[]): GgufTensor {
  const [first] = tensors;
  if (first === undefined) throw new RangeError(`no parts of ${name}`);
  const inputs = first.dimensions[0] ?? 0;
  const values = Float32Array.from(tensors.flatMap((tensor) => [...tensor.values]));
  return { ...first, name, dimensions: [inputs, values.length / inputs], values };
}
