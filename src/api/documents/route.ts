import { z } from 'zod';
import { jpegUrl, openFile, type DocumentDeps } from '../attachments/inline-documents.ts';
import type { AppContext } from '../env.ts';
import { createLeaving } from '../generation/leaving.ts';
import { namedObject, namedParameters } from '../openapi/json-schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { readBody } from '../request/read-parameters.ts';

const given = namedParameters('DocumentRequest', {
  file_data: z.string().optional().describe('The file in base64, or as a data: URL.'),
  file_id: z.string().optional().describe('Or a file of `POST /v1/files`.'),
  file_url: z.string().optional().describe('Or its address, where the server has `imageUrls: true`.'),
  filename: z.string().max(255).optional(),
});

const document = namedObject('Document', {
  object: z.literal('document'),
  name: z.string().nullable(),
  kind: z.enum(['pdf', 'docx', 'xlsx', 'epub', 'html', 'text']),
  parts: z.int().min(1).describe('Its pages, sheets or chapters.'),
  text: z.string().describe('With the marks of its parts, such as `[page 3]`.'),
  pictures: z
    .array(z.string())
    .optional()
    .describe('Instead of a text: the pages of a PDF that has none, each a JPEG as a data: URL.'),
});

/** POST /v1/documents: the text of one document, for clients that show it before they send it. */
export async function readDocument(c: AppContext, deps: DocumentDeps): Promise<Response> {
  const { file_data: data, file_id: id, file_url: url, filename } = readBody(c, given);
  const { signal } = createLeaving(c);
  const param = id !== undefined ? 'file_id' : url !== undefined ? 'file_url' : 'file_data';
  const { bytes, name } = await openFile(c, deps, { data, id, url }, [param], signal);
  const { keyId } = c.get('principal');
  const { kind, parts, text, pictures } = await deps.documents.read({ bytes, keyId, param }, signal);
  const pages = pictures?.map((picture) => jpegUrl(Buffer.from(picture).toString('base64')));
  const read = { kind, parts: parts.length, text, ...(pages && { pictures: pages }) };
  return c.json({ object: 'document', name: filename ?? name ?? null, ...read });
}

export const documentOperations = operationsOf(['Chat', 'user'], {
  readDocument: {
    route: 'POST /v1/documents',
    summary: 'Read the text of a document',
    description:
      'Chats, responses and messages take documents themselves; this is for those who want to see the text. Nothing is kept.',
    body: { schema: given, example: { file_data: 'SGVsbG8=', filename: 'hello.txt' } },
    answer: json(document, 'What the document says.'),
    errors: ['invalid_document', 'unsupported_value', 'server_overloaded'],
  },
});
