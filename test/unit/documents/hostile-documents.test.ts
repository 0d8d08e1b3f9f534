import { expect, it } from 'vitest';
import { namedText } from '../../../src/documents/document-text.ts';
import { readDocument } from '../../../src/documents/read-document.ts';
import { hostileDocuments } from '../../support/files/hostile-documents.ts';

it('files that are made to do harm are read, or refused with a reason', async () => {
  const odd: string[] = [];
  for (const { what, bytes } of hostileDocuments()) {
    try {
      const { text, pictures } = await readDocument(bytes);
      const isShown = pictures?.some((picture) => picture.length > 0) === true;
      const isText = text.trim() !== '' && namedText(what, text).startsWith(`${what}:\n\`\`\``);
      if (!isShown && !isText) odd.push(what);
    } catch (error) {
      if (!(error instanceof Error && error.name === 'DocumentError')) odd.push(`${what}: ${String(error)}`);
    }
  }
  expect(odd).toEqual([]);
}, 600_000);
