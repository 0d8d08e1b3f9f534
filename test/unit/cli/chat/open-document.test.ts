import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDocument } from '../../../../src/cli/chat/open-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('gives the text of a document under its name, and says what is wrong with one', async () => {
  const [notes, torn] = [join(folder, 'notes.md'), join(folder, 'torn.pdf')];
  writeFileSync(notes, '# Ships\n');
  writeFileSync(torn, '%PDF-1.7');
  expect(await openDocument(notes)).toEqual({
    text: 'notes.md:\n```\n# Ships\n```',
    description: 'text, 8 characters',
  });
  await expect(openDocument(torn)).rejects.toThrow("The document in 'torn.pdf' is a damaged PDF");
  await expect(openDocument(join(folder, 'none'))).rejects.toThrow('none cannot be read (ENOENT)');
});
