import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';
import { deletedFile, file, fileList } from './response-schema.ts';
import { filesQuery, uploadSchema } from './schema.ts';

const ofFile = {
  tag: 'Batches',
  access: 'user',
  pathParameters: { id: 'Of a file of the account.' },
  errors: ['not_found'],
} as const;

const content = { 'application/octet-stream': null };

export const fileOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/files',
    id: 'uploadFile',
    tag: 'Batches',
    summary: 'Upload a file',
    description:
      'A file with the purpose `batch` has one request per line, `{"custom_id": "…", "method": "POST", "url": "/v1/chat/completions", "body": {…}}`; the error of a wrong line has its number. It is kept for 30 days unless `expires_after` says otherwise.',
    access: 'user',
    body: {
      schema: uploadSchema.register(components, { id: 'UploadFile' }),
      mediaType: 'multipart/form-data',
    },
    responses: { 200: { description: 'The file.', content: { 'application/json': file } } },
  },
  {
    method: 'GET',
    path: '/v1/files',
    id: 'listFiles',
    tag: 'Batches',
    summary: 'List files',
    description: 'Those of the account, newest first unless `order` is `asc`.',
    access: 'user',
    query: filesQuery,
    responses: { 200: { description: 'One page.', content: { 'application/json': fileList } } },
  },
  {
    ...ofFile,
    method: 'GET',
    path: '/v1/files/{id}',
    id: 'getFile',
    summary: 'Get what is known of a file',
    responses: { 200: { description: 'The file.', content: { 'application/json': file } } },
  },
  {
    ...ofFile,
    method: 'GET',
    path: '/v1/files/{id}/content',
    id: 'getFileContent',
    summary: 'Download a file',
    description: 'With a header `Range: bytes=…` a part of it.',
    responses: {
      200: { description: 'All of it.', content },
      206: { description: 'The part that `Range` names.', content },
    },
  },
  {
    ...ofFile,
    method: 'DELETE',
    path: '/v1/files/{id}',
    id: 'deleteFile',
    summary: 'Delete a file',
    description: 'Refused while a batch reads it.',
    responses: { 200: { description: 'It is gone.', content: { 'application/json': deletedFile } } },
    errors: ['not_found', 'invalid_value'],
  },
];
