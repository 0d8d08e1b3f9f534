import { z } from 'zod';
import type { ModelStatus } from '../../engine/pool/model-status.ts';
import { namedObject } from '../openapi/json-schema.ts';

const count = z.int().min(0);

/** The devices that compute a model, with the memory that it takes of each. */
export const runsOn = namedObject('RunsOn', {
  ram_bytes: count.describe('Of main memory.'),
  gpus: z.array(z.strictObject({ name: z.string(), bytes: count })).describe('Empty: there is none.'),
  layers: count
    .nullable()
    .describe('All of them, the output being one; null: not known, as of speech models.'),
  gpu_layers: count.nullable().describe('Of these, those that GPUs compute.'),
  expert_layers: count.nullable().describe('Of those, the ones whose experts are in main memory.'),
  draft_heads: z.boolean().nullable().describe('Whether it guesses tokens with heads that it has for that.'),
})
  .nullable()
  .describe('As it is in memory, or would be; null: nobody has found out, or it runs elsewhere.');

/** The server has found out by `findNeeds` how a model would run that is not in memory. */
export function toRunsOn({ next, addresses, ...now }: ModelStatus): z.output<typeof runsOn> {
  const { memory, place } = now.memory === undefined ? (next ?? {}) : now;
  if (memory === undefined || addresses !== undefined) return null;
  const { ramBytes, vramBytes, gpus = vramBytes > 0 ? { GPU: vramBytes } : {} } = memory;
  return {
    ram_bytes: Math.ceil(ramBytes),
    gpus: Object.entries(gpus).map(([name, bytes]) => ({ name, bytes: Math.ceil(bytes) })),
    layers: place?.layers ?? null,
    gpu_layers: place?.gpuLayers ?? null,
    expert_layers: place?.expertLayers ?? null,
    draft_heads: place === undefined ? null : place.draftHeads === true,
  };
}
