import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/load-config.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'hearth-config-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

/** The servers of tools of a file that has `mcp` only; JSON is YAML too. */
function serversOf(mcp: object) {
  writeFileSync(path.join(cwd, 'hearth.yaml'), JSON.stringify({ mcp }));
  return loadConfig({ flags: {}, env: {}, cwd }).mcp;
}

describe('a server of tools', () => {
  it('has defaults for all but its command or address, and files beside hearth.yaml', () => {
    const own = { tools: undefined, accounts: ['local'], approval: 'always', timeoutMs: 60_000 };
    expect(
      serversOf({
        here: { command: 'tools', env: { KEY: { file: 'key.txt' } } },
        there: { url: 'https://tools.example.org/mcp', accounts: 'all', timeout: '5s' },
      }),
    ).toMatchObject([
      {
        ...own,
        label: 'here',
        transport: { kind: 'command', args: [], env: { KEY: { file: path.join(cwd, 'key.txt') } } },
      },
      { ...own, label: 'there', transport: { kind: 'http' }, accounts: 'all', timeoutMs: 5000 },
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['neither command nor url', { a: {} }, /mcp\.a.*needs either a command or a url/],
    ['both', { a: { command: 'x', url: 'http://b' } }, /mcp\.a.*needs either a command or a url/],
    ['headers for a command', { a: { command: 'x', headers: {} } }, /headers are for a url/],
    ['arguments for an address', { a: { url: 'http://b', args: [] } }, /args and env are for a command/],
    ['a password in the address', { a: { url: 'http://u:p@b' } }, /without a user/],
    ['another protocol', { a: { url: 'file:///etc' } }, /an http\(s\) address/],
    ['a label that is none', { 'A b': { command: 'x' } }, /small letters, digits and hyphens/],
    ['an approval that is none', { a: { command: 'x', approval: 'no' } }, /always, never or/],
    ['a key that is none', { a: { command: 'x', envs: {} } }, /envs/],
  ])('is refused with %s', (_, mcp, message) => {
    expect(() => serversOf(mcp)).toThrow(message);
  });
});
