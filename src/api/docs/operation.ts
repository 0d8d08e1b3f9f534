import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import { bytes, json, notModified, operationsOf } from '../openapi/operation.ts';

const document = z
  .looseObject({ openapi: z.literal('3.1.1') })
  .register(components, { id: 'OpenApiDocument' });

export const docsOperations = operationsOf(['Service', 'anyone'], {
  getOpenApiDocument: {
    route: 'GET /openapi.json',
    summary: 'This document',
    description: 'With a key, and on this machine, its examples name models that are there.',
    answer: json(document, 'OpenAPI 3.1.'),
    responses: notModified,
  },
  getDocs: {
    route: 'GET /docs',
    summary: 'This document as a page',
    answer: bytes(['text/html'], 'The page.'),
    responses: notModified,
  },
  getDocsFile: {
    route: 'GET /docs/{file}',
    summary: 'A page of the manual, or a file that the pages use',
    pathParameters: { file: 'Such as `settings`; `pages` lists them.' },
    answer: bytes(['text/html', 'text/css', 'text/javascript', 'image/png'], 'The page or file.'),
    responses: notModified,
    errors: ['not_found'],
  },
});
