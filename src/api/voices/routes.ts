import type { Routes } from '../add-routes.ts';
import type { AppDeps } from '../env.ts';
import { readBody } from '../request/read-parameters.ts';
import { formBody } from '../upload/form-body.ts';
import { namedObject } from '../openapi/json-schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { filePart } from '../upload/uploaded-file.ts';
import { z } from 'zod';
import { voiceExtensions, voiceNamePattern, type Voice } from '../../voices/voices.ts';

const voiceUpload = namedObject('CreateVoice', {
  name: z
    .string()
    .regex(voiceNamePattern, { error: 'must be 1 to 64 small letters, digits, hyphens or underscores' }),
  file: filePart(
    `A recording of 1 to 30 seconds. Its name ends in ${voiceExtensions.map((one) => `.${one}`).join(', ')}.`,
  ),
});

const names = { id: z.string().min(1), name: z.string().min(1) };

const voice = namedObject('Voice', {
  ...names,
  object: z.literal('voice'),
  source: z
    .enum(['configuration', 'folder', 'upload'])
    .describe('Where its recording is: named in `hearth.yaml`, in `voices/` beside a model, or uploaded.'),
});

export const voiceList = namedObject('VoiceList', {
  object: z.literal('list'),
  data: z.array(voice),
  voices: z.array(z.strictObject(names)).describe('The same, for clients that look here.'),
});

const deletedVoice = namedObject('DeletedVoice', {
  id: z.string(),
  object: z.literal('voice'),
  deleted: z.literal(true),
});

function toWireVoice({ name, source }: Voice): z.output<typeof voice> {
  return { id: name, object: 'voice', name, source };
}

function toVoiceList(voices: readonly Voice[]): z.output<typeof voiceList> {
  const data = voices.map(toWireVoice);
  return { object: 'list', data, voices: data.map(({ id, name }) => ({ id, name })) };
}

export const voiceOperations = operationsOf(['Audio', 'user'], {
  listVoices: {
    route: 'GET /v1/audio/voices',
    summary: 'List the voices',
    description: 'The first of them speaks where a request names none.',
    answer: json(voiceList, 'Those of the configuration, then those beside models, then uploads.'),
  },
});

export const adminVoiceOperations = operationsOf(['Administration', 'admin'], {
  listAllVoices: {
    route: 'GET /admin/v1/voices',
    summary: 'List the voices',
    answer: json(voiceList, 'As `GET /v1/audio/voices`.'),
  },
  createVoice: {
    route: 'POST /admin/v1/voices',
    summary: 'Add a voice',
    description:
      'Whose voice it is has to agree. The recording is decoded once, to check it, and kept as it came.',
    body: { schema: voiceUpload, mediaType: 'multipart/form-data' },
    responses: { 201: json(voice, 'The voice.') },
    errors: ['unsupported_file', 'invalid_audio', 'audio_too_long', 'server_overloaded', 'engine_error'],
  },
  deleteVoice: {
    route: 'DELETE /admin/v1/voices/{name}',
    summary: 'Delete an uploaded voice',
    pathParameters: { name: 'Its name.' },
    answer: json(deletedVoice, 'Its recording is gone.'),
    errors: ['not_found', 'invalid_value'],
  },
});

/** GET /v1/audio/voices: the first one speaks where a request names none. */
export const voiceRoutes = ({ voices }: Pick<AppDeps, 'voices'>): Routes => ({
  '/v1/audio/voices': {
    GET: async (c) => c.json(toVoiceList(await voices.list())),
  },
});

/** Voices are somebody's, so the operator alone adds them. */
export function adminVoiceRoutes({ voices, settings }: Pick<AppDeps, 'voices' | 'settings'>): Routes {
  const { uploadsDir, audioBodyLimitBytes: maxFileBytes } = settings;
  return {
    '/voices': {
      GET: async (c) => c.json(toVoiceList(await voices.list())),
      POST: [
        formBody({ uploadsDir, maxFileBytes }),
        async (c) => {
          const { name, file } = readBody(c, voiceUpload);
          c.set('act', ['voice.create', name]);
          return c.json(toWireVoice(await voices.add(name, file, c.req.raw.signal)), 201);
        },
      ],
    },
    '/voices/:name': {
      DELETE: async (c) => {
        const name = c.req.param('name') ?? '';
        await voices.remove(name);
        c.set('act', ['voice.remove', name]);
        return c.json({ id: name, object: 'voice', deleted: true });
      },
    },
  };
}
