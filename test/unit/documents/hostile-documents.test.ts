import { afterAll, expect, it } from 'vitest';
import { DocumentReader } from '../../../src/documents/document-reader.ts';
import { namedText } from '../../../src/documents/document-text.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { hostileDocuments } from '../../support/files/hostile-documents.ts';

// In the processes that read documents for clients: one document takes all the memory that its reader may have.
const reader = new DocumentReader(createLog({ level: 'silent' }));
afterAll(() => reader.close());

it('files that are made to do harm are read, or refused with a reason', async () => {
  const odd: string[] = [];
  for (const { what, bytes } of hostileDocuments()) {
    try {
      const given = { bytes, keyId: 'key', param: 'file' };
      const { text, pictures } = await reader.read(given, new AbortController().signal);
      const isShown = pictures?.some((picture) => picture.length > 0) === true;
      const isText = text.trim() !== '' && namedText(what, text).startsWith(`${what}:\n\`\`\``);
      if (!isShown && !isText) odd.push(what);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid_document'))
        odd.push(`${what}: ${String(error)}`);
    }
  }
  expect(odd).toEqual([]);
}, 600_000);
