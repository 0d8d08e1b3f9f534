import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that the paths of pages are relative to. */
export const projectDir = fileURLToPath(new URL('../../../', import.meta.url));

/** A fenced block whose first line has a second word, such as "```sh example". */
export interface MarkedBlock {
  readonly language: string;
  /** The purpose of the block: `example`, `output` (of the example above it), `settings`, or the name of a file. */
  readonly mark: string;
  readonly text: string;
}

export interface DocsPage {
  /** From the project's folder, such as docs/settings.md. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly MarkedBlock[];
}

/** The pages that users read: the README and those in docs. */
export function readDocsPages(): readonly DocsPage[] {
  const paths = ['README.md', ...globSync('docs/*.md', { cwd: projectDir }).toSorted()];
  return paths.map((path) => {
    const text = readFileSync(join(projectDir, path), 'utf8');
    const blocks = Array.from(
      text.matchAll(/^```(\S+) (\S+)\n(.*?)^```$/gms),
      ([, language, mark, inside]) => ({
        language: language ?? '',
        mark: mark ?? '',
        text: inside ?? '',
      }),
    );
    return { path, text, blocks };
  });
}

/** An example, and its output on the page; undefined: it shows none. */
export interface Example {
  readonly block: MarkedBlock;
  readonly output: string | undefined;
}

export function examplesOf({ blocks }: DocsPage): readonly Example[] {
  return blocks.flatMap((block, index) => {
    if (block.mark !== 'example') return [];
    const next = blocks[index + 1];
    return [{ block, output: next?.mark === 'output' ? next.text : undefined }];
  });
}

/** Matches the output that a page shows, where … stands for anything and spaces for some spaces. */
export function outputPattern(shown: string): RegExp {
  const parts = shown
    .trim()
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replace(/ +/g, ' +'));
  return new RegExp(`^${parts.join('.*?')}$`, 's');
}
