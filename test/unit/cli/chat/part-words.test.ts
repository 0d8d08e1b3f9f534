import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { partWords } from '../../../../src/cli/chat/chat.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-words-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('hearth run takes the files that stand behind a prompt, and says which is missing', () => {
  const [notes, scan] = [join(folder, 'notes.md'), join(folder, 'scan.pdf')];
  for (const file of [notes, scan]) writeFileSync(file, 'x');
  expect(partWords(['What', 'is it?', notes, scan])).toEqual({ prompt: 'What is it?', files: [notes, scan] });
  expect(partWords(['Read', notes, 'twice.'])).toEqual({ prompt: `Read ${notes} twice.`, files: [] });
  expect(partWords(['What is a .pdf'])).toEqual({ prompt: 'What is a .pdf', files: [] });
  expect(partWords([])).toEqual({ prompt: '', files: [] });
  expect(() => partWords(['Read', join(folder, 'none.pdf')])).toThrow('there is no file');
  expect(() => partWords([notes])).toThrow('a prompt stands before its files');
});
