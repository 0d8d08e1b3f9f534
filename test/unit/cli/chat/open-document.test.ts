import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openDocument } from '../../../../src/cli/chat/open-document.ts';
import { pdfOf } from '../../../support/files/pdf.ts';
import { colouredPage, faxedPage, scanOf } from '../../../support/files/scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('gives the text of a document under its name, and says what is wrong with one', async () => {
  const [notes, scan, torn] = ['notes.md', 'scan.pdf', 'torn.pdf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(notes, '# Ships\n');
  writeFileSync(torn, '%PDF-1.7');
  expect(await openDocument(notes)).toEqual({
    text: 'notes.md:\n```\n# Ships\n```',
    pictures: [],
    description: 'text, 8 characters',
  });
  writeFileSync(scan, scanOf([colouredPage(0, 0, 200), faxedPage]));
  expect(await openDocument(scan)).toMatchObject({
    text: 'scan.pdf, page by page:',
    pictures: [expect.anything(), expect.anything()],
    description: 'pdf, 2 pages that are pictures',
  });
  const pages = join(folder, 'a.pdf');
  writeFileSync(pages, pdfOf(['First page', 'Second page']));
  const { text } = await openDocument(pages);
  expect(text).toBe('a.pdf:\n```\n[page 1]\nFirst page\n\n[page 2]\nSecond page\n```');
  await expect(openDocument(torn)).rejects.toThrow("The document in 'torn.pdf' is a damaged PDF");
  await expect(openDocument(join(folder, 'none'))).rejects.toThrow('none cannot be read (ENOENT)');
});
