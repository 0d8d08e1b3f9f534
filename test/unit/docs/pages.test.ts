import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { headingId } from '../../../scripts/build/docs/heading-id.ts';
import { fileSchema, modelShape } from '../../../src/config/file/file-schema.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { examplesOf, projectDir, readDocsPages } from '../../support/page/docs-pages.ts';

const pages = readDocsPages();
const textOf = (path: string) => readFileSync(join(projectDir, path), 'utf8');

const headingIds = (text: string) =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title = '']) => headingId(title));

/** Targets of links and pictures that are files here. */
const linksOf = (text: string) =>
  Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^https?:/.test(target),
  );

describe.each(['CONTRIBUTING.md', 'models/README.md', ...pages.map(({ path }) => path)])('%s', (path) => {
  it('links to files and headings that exist', () => {
    for (const link of linksOf(textOf(path))) {
      const [file = '', id] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      expect(existsSync(join(projectDir, target)), link).toBe(true);
      if (id !== undefined) expect(headingIds(textOf(target)), link).toContain(id);
    }
  });
});

const index = 'docs/README.md';

it.each(pages.filter(({ path }) => path !== index))('$path has an example', (page) => {
  expect(examplesOf(page).length).toBeGreaterThan(0);
});

it('names every page in the README and in the index', () => {
  const names = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(linksOf(textOf('README.md'))).toEqual(expect.arrayContaining(names));
  const indexed = linksOf(textOf(index)).map((link) => `docs/${link}`);
  expect(indexed.toSorted()).toEqual(names.filter((path) => path !== index));
});

describe('files of settings that pages show', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-docs-settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const files = pages.flatMap(({ path, blocks }) =>
    blocks.filter(({ language }) => language === 'yaml').map(({ text }, number) => ({ path, number, text })),
  );

  it.each(files)('are taken: $path, number $number', ({ text }) => {
    const config = join(folder, 'hearth.yaml');
    writeFileSync(config, text);
    expect(loadConfig({ flags: { config }, env: {}, cwd: folder }).configFile).toBe(config);
  });

  it('have every key of the file and of a model among them', () => {
    const settings = textOf('docs/settings.md');
    const isShown = (text: string) => (key: string) => new RegExp(`\`${key}\`|\\b${key}:`).test(text);
    expect(Object.keys(fileSchema.shape).filter((key) => !isShown(settings)(key))).toEqual([]);
    const ofModels = `${settings}${textOf('docs/growing-out.md')}${textOf('docs/models.md')}`;
    expect(Object.keys(modelShape).filter((key) => !isShown(ofModels)(key))).toEqual([]);
  });
});
