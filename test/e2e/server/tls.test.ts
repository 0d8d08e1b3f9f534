import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generate } from 'selfsigned';
import { afterAll, describe, it } from 'vitest';
import { localAddresses } from '../../../src/upkeep/local-addresses.ts';
import {
  hasPseudoTerminal,
  openTerminalProgram,
  type TerminalProgram,
} from '../../support/page/pseudo-terminal.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

const root = mkdtempSync(join(tmpdir(), 'hearth-tls-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => mkdtempSync(join(root, 'server-'));

/** The server on a terminal, with these lines in its configuration file in `folder`. */
function serve(folder: string, config: object, ...args: readonly string[]): TerminalProgram {
  writeFileSync(join(folder, 'hearth.yaml'), JSON.stringify(config));
  const command = [
    process.execPath,
    cliPath,
    'serve',
    '--port',
    '0',
    '--data-dir',
    join(folder, 'data'),
    ...args,
  ];
  return openTerminalProgram(command, { cwd: folder, env: { PATH: process.env['PATH'] } });
}

/** The status, the body and the certificate of an answer. */
async function ask(url: string, options: RequestOptions) {
  return await new Promise<{ status: number | undefined; body: string; fingerprint: string }>(
    (resolve, reject) => {
      const request = get(url, { agent: new Agent(), ...options }, (response) => {
        const { fingerprint256: fingerprint } = (response.socket as TLSSocket).getPeerCertificate();
        text(response).then((body) => resolve({ status: response.statusCode, body, fingerprint }), reject);
      });
      request.on('error', reject);
    },
  );
}

describe.skipIf(!hasPseudoTerminal)('hearth serve with tls', { timeout: 60_000, concurrent: true }, () => {
  // One waits for seconds until files are looked at again.
  it('makes a certificate for this machine, and shows a phone the way', async ({ expect }) => {
    const folder = newFolder();
    await using program = serve(folder, { tls: 'self-signed' }, '--lan');
    const [, fingerprint] = /SHA-256 ([\dA-F:]+)/.exec(await program.waitFor(/SHA-256 [\dA-F:]+/)) ?? [];
    const local = await program.waitFor(/https:\S+#code=\S+/);
    const origin = /https:\/\/127\.0\.0\.1:\d+/.exec(local)?.[0] ?? '';
    const ca = readFileSync(join(folder, 'data/tls/cert.pem'));
    expect(await ask(`${origin}/healthz`, { ca })).toEqual({
      status: 200,
      body: '{"status":"ok"}',
      fingerprint,
    });
    await expect(ask(`${origin}/healthz`, {})).rejects.toThrow('self-signed');
    const [address] = localAddresses();
    if (address !== undefined) {
      const phone = await program.waitFor(/https:\S+#code=\S+/);
      expect(phone).toContain(`https://${address}:`);
      await program.waitFor('█');
      const { port } = new URL(origin);
      expect((await ask(`https://${address}:${port}/healthz`, { ca })).status).toBe(200);
    }
    // Commands of the same data folder find the server by TLS too.
    const run = promisify(execFile)(process.execPath, [cliPath, 'chat', '--data-dir', join(folder, 'data')], {
      cwd: folder,
    });
    run.child.stdin?.end('Hello\n');
    expect((await run).stderr).not.toContain('in this process');
    expect((await run).stdout).toMatch(/\w/);
  });

  it('takes a certificate, reads it again when it changes, and keeps it when the new one is broken', async ({
    expect,
  }) => {
    const folder = newFolder();
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const renew = async () => {
      const made = await generate([{ name: 'commonName', value: 'localhost' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        notAfterDate: new Date(Date.now() + 10 * 86_400_000),
      });
      writeFileSync(files.cert, made.cert);
      writeFileSync(files.key, made.private);
      return new X509Certificate(made.cert).fingerprint256;
    };
    const first = await renew();
    await using program = serve(folder, { tls: files });
    const origin = /https:\/\/127\.0\.0\.1:\d+/.exec(await program.waitFor(/https:\S+#code/))?.[0] ?? '';
    const shown = async () => (await ask(`${origin}/healthz`, { rejectUnauthorized: false })).fingerprint;
    expect(await shown()).toBe(first);
    const second = await renew();
    await expect.poll(shown).toBe(second);
    writeFileSync(files.cert, 'no certificate');
    await program.waitFor('the TLS certificate stays as it was');
    expect(await shown()).toBe(second);
    // The operator is told that it ends within two weeks.
    const told = await promisify(execFile)(process.execPath, [
      cliPath,
      'notices',
      '--json',
      '--data-dir',
      join(folder, 'data'),
    ]);
    expect(JSON.parse(told.stdout)).toMatchObject([{ kind: 'certificate.expiring' }]);
  });

  it('does not start with a certificate that is none, and says which', async ({ expect }) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'cert.pem'), 'nothing');
    await using program = serve(folder, { tls: { cert: 'cert.pem', key: 'cert.pem' } });
    await program.waitFor(/tls: the certificate \S+cert\.pem cannot be used/);
    expect(await program.exited).not.toBe(0);
  });
});
