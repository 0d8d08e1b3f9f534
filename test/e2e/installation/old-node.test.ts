import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

/** Runs before the program: Node gives itself out as `version`, and tells on stderr each module that is imported. */
const disguise = (version: string) => `
  import { registerHooks } from 'node:module';
  Object.defineProperty(process.versions, 'node', { value: '${version}' });
  Object.defineProperty(process, 'version', { value: 'v${version}' });
  registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL !== undefined) process.stderr.write('imported ' + specifier + '\\n');
      return next(specifier, context);
    },
  });
`;

function hearthVersion(nodeVersion: string): Promise<{ code: number; lines: string[] }> {
  const preload = `data:text/javascript,${encodeURIComponent(disguise(nodeVersion))}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', preload, cliPath, '--version'], (error, _stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), lines: stderr.trim().split('\n') }),
    );
  });
}

describe('a Node that is too old', () => {
  // A real one ends with a SyntaxError at the first import of something that it does not have.
  it.each(['18.20.8', '20.20.2', '22.20.0', '23.11.1', '24.4.0'])(
    '%s is told so, before anything is imported',
    async (version) => {
      expect(await hearthVersion(version)).toEqual({
        code: 1,
        lines: [expect.stringMatching(`^hearth needs Node .* 24\\.5 or newer; this is v${version}\\.`)],
      });
    },
  );

  it('is none that package.json allows', async () => {
    const { code, lines } = await hearthVersion('22.21.0');
    expect(code).toBe(0);
    expect(lines).toContain('imported ./cli/program.ts');
  });
});
