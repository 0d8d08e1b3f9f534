import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { oldNode, oldReleases } from '../../support/server/old-node.ts';

/** As a package has it: an old Node knows no file that ends in .ts. */
const programPath = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

const hearthVersion = (node: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(node, [programPath, '--version'], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

describe.runIf(existsSync(programPath))('the installed program, on a Node that is too old', () => {
  describe.each(oldReleases)('$node', ({ node }) => {
    let program: string;
    beforeAll(async () => void (program = await oldNode(node)));

    it('says which one it needs, in one line', async () => {
      expect(await hearthVersion(program)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          String.raw`^hearth needs Node 22\.21 .* 24\.5 or newer; this is v${node}\..*\n$`,
        ),
      });
    });
  });

  it('is none that package.json allows', async () => {
    expect(await hearthVersion(process.execPath)).toMatchObject({ code: 0, stderr: '' });
  });
});
