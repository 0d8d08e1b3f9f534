import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';

const document = z
  .looseObject({ openapi: z.literal('3.1.1') })
  .register(components, { id: 'OpenApiDocument' });

const notModified = { 304: { description: 'It is as the client has it.' } };

export const docsOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/openapi.json',
    id: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'This document',
    description: 'With a key, and on this machine, its examples name models that are there.',
    access: 'anyone',
    responses: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': document } },
      ...notModified,
    },
  },
  {
    method: 'GET',
    path: '/docs',
    id: 'getDocs',
    tag: 'Service',
    summary: 'This document as a page',
    access: 'anyone',
    responses: { 200: { description: 'The page.', content: { 'text/html': null } }, ...notModified },
  },
  {
    method: 'GET',
    path: '/docs/{file}',
    id: 'getDocsFile',
    tag: 'Service',
    summary: 'A page of the manual, or a file that the pages use',
    access: 'anyone',
    pathParameters: { file: 'Such as `settings`; `pages` lists them.' },
    responses: {
      200: {
        description: 'The page or file.',
        content: { 'text/html': null, 'text/css': null, 'text/javascript': null, 'image/png': null },
      },
      ...notModified,
    },
    errors: ['not_found'],
  },
];
