import { named, namedObject } from '../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../openapi/operation.ts';
import { filesQuery, uploadSchema } from './schema.ts';
import { z } from 'zod';
import { listOf } from '../parameters/list-page.ts';

const seconds = z.int().min(0).describe('Unix seconds.');

export const file = namedObject('File', {
  id: z.string().startsWith('file-'),
  object: z.literal('file'),
  bytes: z.int().min(0),
  created_at: seconds,
  expires_at: seconds.nullable(),
  filename: z.string(),
  purpose: z.string(),
  status: z.literal('processed'),
  status_details: z.null(),
});

const fileList = named('FileList', listOf(file));

const deletedFile = namedObject('DeletedFile', {
  id: z.string(),
  object: z.literal('file'),
  deleted: z.literal(true),
});

const ofFile = {
  pathParameters: { id: 'Of a file of the account.' },
  errors: ['not_found'],
} as const;

const octets = ['application/octet-stream'];

export const fileOperations = operationsOf(['Batches', 'user'], {
  uploadFile: {
    route: 'POST /v1/files',
    summary: 'Upload a file',
    description:
      'A file with the purpose `batch` has one request per line, `{"custom_id": "…", "method": "POST", "url": "/v1/chat/completions", "body": {…}}`; the error of a wrong line has its number. It is kept for 30 days unless `expires_after` says otherwise.',
    body: { schema: uploadSchema, mediaType: 'multipart/form-data' },
    answer: json(file, 'The file.'),
  },
  listFiles: {
    route: 'GET /v1/files',
    summary: 'List files',
    description: 'Those of the account, newest first unless `order` is `asc`.',
    query: filesQuery,
    answer: json(fileList, 'One page.'),
  },
  getFile: {
    ...ofFile,
    route: 'GET /v1/files/{id}',
    summary: 'Get what is known of a file',
    answer: json(file, 'The file.'),
  },
  getFileContent: {
    ...ofFile,
    route: 'GET /v1/files/{id}/content',
    summary: 'Download a file',
    description: 'With a header `Range: bytes=…` a part of it.',
    answer: bytes(octets, 'All of it.'),
    responses: { 206: bytes(octets, 'The part that `Range` names.') },
  },
  deleteFile: {
    ...ofFile,
    route: 'DELETE /v1/files/{id}',
    summary: 'Delete a file',
    description: 'Refused while a batch reads it.',
    answer: json(deletedFile, 'It is gone.'),
    errors: ['not_found', 'invalid_value'],
  },
});
