import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readWeights, type Tensor } from '../text/read-weights.ts';
import { encodeGguf, ggufFileTypes } from '../../make/tiny-model/gguf.ts';
import type { GgufTensor, GgufValue, WeightType } from '../../make/tiny-model/gguf.ts';

const help = `Writes the trained sight of the demo model as a projector in GGUF: matrices as Q8_0.

Usage: node scripts/demo/sight/export.ts --weights FOLDER --out FILE

  --weights FOLDER  what weights.py wrote: weights.bin and shape.json
`;

interface About {
  readonly shape: {
    readonly text_size: number;
    readonly side_px: number;
    readonly patch_px: number;
    readonly hidden: number;
    readonly feed_forward: number;
    readonly layers: number;
    readonly heads: number;
    readonly merge: number;
    readonly epsilon: number;
  };
}

const { values } = parseArgs({
  options: { weights: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } },
});

if (values.help === true) process.stdout.write(help);
else if (values.weights === undefined || values.out === undefined) {
  process.stderr.write(`--weights and --out are needed\n\n${help}`);
  process.exitCode = 1;
} else {
  const { about, tensors } = await readWeights(values.weights);
  await writeFile(values.out, encodeGguf(describe((about as About).shape), tensors.map(toGgufTensor)));
}

function describe(shape: About['shape']): Map<string, GgufValue> {
  const text = (value: string): GgufValue => ({ type: 'string', value });
  const count = (value: number): GgufValue => ({ type: 'u32', value });
  const half: GgufValue = { type: 'f32s', value: [0.5, 0.5, 0.5] };
  return new Map<string, GgufValue>([
    ['general.architecture', text('clip')],
    ['general.type', text('mmproj')],
    ['general.name', text('hearth-demo')],
    ['general.description', text('Sight for the demo of hearth: drawings of single things, not photographs')],
    ['general.license', text('apache-2.0')],
    ['general.file_type', count(ggufFileTypes.q8_0)],
    ['clip.has_vision_encoder', { type: 'bool', value: true }],
    ['clip.projector_type', text('nemotron_v2_vl')],
    ['clip.use_silu', { type: 'bool', value: true }],
    ['clip.vision.embedding_length', count(shape.hidden)],
    ['clip.vision.feed_forward_length', count(shape.feed_forward)],
    ['clip.vision.block_count', count(shape.layers)],
    ['clip.vision.projection_dim', count(shape.text_size)],
    ['clip.vision.attention.head_count', count(shape.heads)],
    ['clip.vision.attention.layer_norm_epsilon', { type: 'f32', value: shape.epsilon }],
    ['clip.vision.image_size', count(shape.side_px)],
    ['clip.vision.patch_size', count(shape.patch_px)],
    ['clip.vision.image_mean', half],
    ['clip.vision.image_std', half],
    ['clip.vision.projector.scale_factor', count(shape.merge)],
  ]);
}

function toGgufTensor({ name, shape, values: floats }: Tensor): GgufTensor {
  return { name, dimensions: shape.toReversed(), weightType: weightTypeOf(name, shape), values: floats };
}

function weightTypeOf(name: string, shape: readonly number[]): WeightType {
  // ggml computes convolutions with half precision only, and adds 32-bit floats.
  if (name === 'v.patch_embd.weight') return 'f16';
  return shape.length === 1 || name === 'v.position_embd.weight' || name === 'v.class_embd' ? 'f32' : 'q8_0';
}
