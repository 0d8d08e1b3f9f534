import { named, namedObject, namedParameters } from '../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import { listOf, pageOf } from '../parameters/list-page.ts';
import { filePart } from '../upload/uploaded-file.ts';
import { list, refuse } from '../parameters/schema-parts.ts';

/** Purposes of files. Files for batches are checked when they come; the page keeps chats for those who ask it to. */
const purposes = ['batch', 'user_data', 'assistants', 'vision', 'hearth-chat'] as const;
const mostPerPage = 10_000;
const keptSeconds = { least: 3600, most: 2_592_000 };

/** The two fields `expires_after[anchor]` and `expires_after[seconds]` of a form, in any order. */
const expiresAfter = list(z.string(), { max: 2 })
  .transform((values, context): number => {
    const seconds = Number(values.find((value) => value !== 'created_at'));
    if (values.includes('created_at') && isKeptTime(seconds)) return seconds;
    return refuse(
      context,
      `must be the anchor created_at and ${keptSeconds.least} to ${keptSeconds.most} seconds`,
    );
  })
  .describe('`expires_after[anchor]`: `created_at`; `expires_after[seconds]`: how long it is kept.');

export function isKeptTime(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= keptSeconds.least && seconds <= keptSeconds.most;
}

export const uploadSchema = namedParameters('UploadFile', {
  file: filePart('For a batch: one JSON object per line.'),
  purpose: z.enum(purposes).meta({ examples: ['batch'] }),
  expires_after: expiresAfter.optional(),
});

export const filesQuery = z.object({
  ...pageOf(mostPerPage),
  purpose: z.string().max(64).optional(),
  order: z.enum(['asc', 'desc']).optional(),
});

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
    errors: [...ofFile.errors, 'range_not_satisfiable'],
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
