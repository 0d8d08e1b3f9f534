import { existsSync, lstatSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EntrySettings } from '../../../src/config/file/model-settings.ts';
import { testFolder } from '../../support/files/test-folder.ts';

const newFolder = () => mkdtempSync(join(testFolder, 'config-'));

const written = `# Of the house.
port: 8080 # as ever

models:
  # The large one.
  - id: large
    context: 4096 # enough
    keepAlive: 30m
  - { id: small, temperature: 0.5 }
`;

function open(text: string | undefined = written, reload: () => Promise<void> = async () => undefined) {
  const path = join(newFolder(), 'hearth.yaml');
  if (text !== undefined) writeFileSync(path, text);
  const settings = new EntrySettings(path, reload);
  return { path, settings, text: () => readFileSync(path, 'utf8') };
}

it('changes the lines of a model and no others, with all comments', async () => {
  const { settings, text } = open();
  await settings.change('large', {
    context: 8192,
    keepAlive: null,
    stop: ['a', '#b'],
    system: 'One\nTwo: three',
  });
  await settings.change('small', { temperature: 0 });
  await settings.change('new', { top_p: 0.9 });
  expect(text()).toBe(`# Of the house.
port: 8080 # as ever

models:
  # The large one.
  - id: large
    context: 8192 # enough
    stop:
      - a
      - "#b"
    system: |-
      One
      Two: three
  - { id: small, temperature: 0 }
  - id: new
    top_p: 0.9
`);
  expect(settings.of('large')).toMatchObject({ context: 8192, keepAlive: null, system: 'One\nTwo: three' });
  expect(settings.of('unknown')).toMatchObject({ context: null, stop: null });
});

it.each([
  ['an empty file', ''],
  ['no file', undefined],
])('begins with %s', async (_, text) => {
  const file = open(text ?? '# nothing yet\n');
  await file.settings.change('one', { gpuLayers: 'auto' });
  expect(file.text()).toContain('models:\n  - id: one\n    gpuLayers: auto\n');
});

it('makes the file where there is none, and takes it away again where it cannot be put into force', async () => {
  const path = join(newFolder(), 'hearth.yaml');
  let isRefused = true;
  const settings = new EntrySettings(path, async () => {
    if (isRefused) throw new Error('no');
  });
  await expect(settings.change('one', { context: 512 })).rejects.toThrow('no');
  expect(existsSync(path)).toBe(false);
  isRefused = false;
  await settings.change('one', { context: 512 });
  expect(readFileSync(path, 'utf8')).toBe('models:\n  - id: one\n    context: 512\n');
});

it.each([
  ['a wrong value', written, { temperature: 9 }, 'models[0].temperature: must be at most 2'],
  [
    'a setting that does not go with others',
    'models: [{ id: large, upstream: { url: "http://localhost:1" }, kind: chat }]',
    { keepAlive: '1h' },
    'models[0].keepAlive: does not go with upstream',
  ],
  ['a file that is broken already', 'models: [', { context: 1 }, 'not valid YAML'],
  [
    'an entry by an alias',
    'models: [&large { id: large }]\nmcp: {}\n',
    { context: 0 },
    'models[0].context: must be at least 1',
  ],
])('leaves the file as it is for %s', async (_, text, change, message) => {
  const file = open(text);
  await expect(file.settings.change('large', change)).rejects.toThrow(message);
  expect(file.text()).toBe(text);
});

it('puts back what cannot be put into force, and makes one change after the other', async () => {
  const file = open(written, async () => {
    if (file.text().includes('context: 1 ')) throw new Error('taken');
  });
  const results = await Promise.allSettled(
    [1, 2, 3].map((context) => file.settings.change('large', { context })),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(file.text()).toBe(written.replace('4096', '3'));
});

it('keeps a link a link, and the edits of others', async () => {
  const folder = newFolder();
  const [real, link] = [join(folder, 'real.yaml'), join(folder, 'hearth.yaml')];
  writeFileSync(real, written);
  symlinkSync(real, link);
  const settings = new EntrySettings(link, async () => undefined);
  writeFileSync(real, written.replace('8080', '9090'));
  await settings.change('large', { context: 1 });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toBe(written.replace('8080', '9090').replace('4096', '1'));
});
