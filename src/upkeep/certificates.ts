import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync, watchFile, unwatchFile, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { TlsSetting } from '../config/types.ts';
import { ConfigError } from '../errors/operator-errors.ts';
import { makeFolder } from '../private-files.ts';
import { localAddresses } from './local-addresses.ts';
import { messageOf } from '../words/describe-error.ts';

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** The certificate that a server presents over TLS, renewed as its files change. */
export interface Certificates {
  readonly current: KeyPair;
  /** SHA-256 of the certificate in hexadecimal bytes with colons, as browsers show it. */
  readonly fingerprint: string;
  /** When the one that it presents now is valid no more, Unix ms. */
  endsAtMs(): number;
  /** Calls `renewed` whenever the files have changed and are a valid pair, and `failed` where they are none. */
  watch(renewed: (pair: KeyPair) => void, failed: (error: unknown) => void): () => void;
}

/** Browsers refuse certificates that are valid for longer than about 13 months. */
const validDays = 365;
const renewedBeforeMs = 30 * 86_400_000;
const watchMs = 5000;

interface Files {
  readonly cert: string;
  readonly key: string;
}

/** The configured certificate, or one that this machine makes for its own names and addresses. Throws ConfigError. */
export async function openCertificates(tls: TlsSetting, dataDir: string): Promise<Certificates> {
  const files = tls === 'self-signed' ? await selfSigned(dataDir) : tls;
  const current = readPair(files);
  let presented = current;
  return {
    current,
    endsAtMs: () => new X509Certificate(presented.cert).validToDate.getTime(),
    fingerprint: new X509Certificate(current.cert).fingerprint256,
    watch(renewed, failed) {
      const changed = (): void => {
        try {
          renewed((presented = readPair(files)));
        } catch (error) {
          failed(error);
        }
      };
      const paths = [files.cert, files.key];
      for (const path of paths) watchFile(path, { interval: watchMs, persistent: false }, changed);
      return () => paths.forEach((path) => unwatchFile(path, changed));
    },
  };
}

function readPair({ cert, key }: Files): KeyPair {
  const pair = { cert: readPem(cert), key: readPem(key) };
  let problem = `it does not belong to the key ${key}`;
  try {
    const certificate = new X509Certificate(pair.cert);
    if (certificate.checkPrivateKey(createPrivateKey(pair.key))) return pair;
  } catch (error) {
    problem = messageOf(error);
  }
  throw new ConfigError(
    `tls: the certificate ${cert} cannot be used: ${problem}`,
    'give a pair of PEM files',
  );
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const why = messageOf(error);
    throw new ConfigError(`tls: ${path} cannot be read: ${why}`, 'name a PEM file that this user may read');
  }
}

/** The files of the certificate in the data folder, made anew where it is missing, ends soon or lacks an address. */
async function selfSigned(dataDir: string): Promise<Files> {
  const folder = join(dataDir, 'tls');
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const names = ['localhost', hostname(), '127.0.0.1', '::1', ...localAddresses()];
  if (isStillGood(files, names)) return files;
  const notAfterDate = new Date(Date.now() + validDays * 86_400_000);
  const altNames = names.map((name) =>
    isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
  );
  // Its 209 modules would take each start a fifth of a second.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: hostname() }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  makeFolder(folder, 0o700);
  writeFileSync(files.key, made.private, { mode: 0o600 });
  writeFileSync(files.cert, made.cert, { mode: 0o600 });
  return files;
}

function isStillGood(files: Files, names: readonly string[]): boolean {
  if (statSync(files.cert, { throwIfNoEntry: false }) === undefined) return false;
  try {
    const certificate = new X509Certificate(readPair(files).cert);
    const covers = (name: string) =>
      (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
    return certificate.validToDate.getTime() - Date.now() > renewedBeforeMs && names.every(covers);
  } catch {
    return false;
  }
}
