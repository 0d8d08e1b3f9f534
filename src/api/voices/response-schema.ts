import { z } from 'zod';
import type { Voice } from '../../voices/voices.ts';
import { components } from '../openapi/json-schema.ts';

const names = { id: z.string().min(1), name: z.string().min(1) };

export const voice = z
  .strictObject({
    ...names,
    object: z.literal('voice'),
    source: z.enum(['configuration', 'folder', 'upload']).meta({
      description:
        'Where its recording is: named in `hearth.yaml`, in `voices/` beside a model, or uploaded.',
    }),
  })
  .register(components, { id: 'Voice' });

export const voiceList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(voice),
    voices: z.array(z.strictObject(names)).meta({ description: 'The same, for clients that look here.' }),
  })
  .register(components, { id: 'VoiceList' });

export const deletedVoice = z
  .strictObject({ id: z.string(), object: z.literal('voice'), deleted: z.literal(true) })
  .register(components, { id: 'DeletedVoice' });

export function toWireVoice({ name, source }: Voice): z.output<typeof voice> {
  return { id: name, object: 'voice', name, source };
}

export function toVoiceList(voices: readonly Voice[]): z.output<typeof voiceList> {
  const data = voices.map(toWireVoice);
  return { object: 'list', data, voices: data.map(({ id, name }) => ({ id, name })) };
}
