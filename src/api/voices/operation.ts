import { json, type AdminOperation } from '../admin/descriptions.ts';
import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';
import { deletedVoice, voice, voiceList } from './response-schema.ts';
import { voiceUpload } from './routes.ts';

export const listVoices: Operation = {
  method: 'GET',
  path: '/v1/audio/voices',
  id: 'listVoices',
  tag: 'Audio',
  summary: 'List the voices',
  description: 'The first of them speaks where a request names none.',
  access: 'user',
  responses: { 200: json(voiceList, 'Those of the configuration, then those beside models, then uploads.') },
  errors: ['invalid_value', 'unknown_parameter'],
};

export const adminVoiceOperations: readonly AdminOperation[] = [
  {
    route: 'GET /voices',
    id: 'listAllVoices',
    summary: 'List the voices',
    responses: { 200: json(voiceList, 'As `GET /v1/audio/voices`.') },
    errors: ['invalid_value', 'unknown_parameter'],
  },
  {
    route: 'POST /voices',
    id: 'createVoice',
    summary: 'Add a voice',
    description:
      'Whose voice it is has to agree. The recording is decoded once, to check it, and kept as it came.',
    body: {
      schema: voiceUpload.register(components, { id: 'CreateVoice' }),
      mediaType: 'multipart/form-data',
    },
    responses: { 201: json(voice, 'The voice.') },
    errors: ['unsupported_file', 'invalid_audio', 'audio_too_long', 'server_overloaded', 'engine_error'],
  },
  {
    route: 'DELETE /voices/{name}',
    id: 'deleteVoice',
    summary: 'Delete an uploaded voice',
    pathParameters: { name: 'Its name.' },
    responses: { 200: json(deletedVoice, 'Its recording is gone.') },
    errors: ['not_found', 'invalid_value'],
  },
];
