import { hash, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyHash, KeyKind } from '../store/tables/key-table.ts';

export const adminPrefix = 'hk-admin-';
/** Begins every key that hearth makes. */
export const keyPrefix = 'hk-';

/** A new secret: the kind's prefix and 43 characters that carry 256 random bits. */
export function createSecret(kind: KeyKind): string {
  return (kind === 'admin' ? adminPrefix : keyPrefix) + randomBytes(32).toString('base64url');
}

/** The SHA-256 under which a secret is stored and looked up: a secret of 256 random bits needs no salt. */
export function hashSecret(secret: string): KeyHash {
  return hash('sha256', secret, 'buffer');
}

/** A value that may be used but not shown: printing, logging or serializing it gives a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }
}

/** The part of a secret that may be shown: its first 5 and last 4 characters, as ASCII; of a short one the first 2. */
export function redactSecret(secret: string): string {
  const plain = secret.replaceAll(/[^\x21-\x7e]/g, '?');
  return plain.length < 20 ? `${plain.slice(0, 2)}…` : `${plain.slice(0, 5)}…${plain.slice(-4)}`;
}

export function createId(prefix: 'acct' | 'key' | 'inv' | 'ntc'): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

/** Begins secrets of webhooks, as Standard Webhooks writes them. */
export const webhookPrefix = 'whsec_';

/** The secret of an account's webhook: another one for another address. It is computed anew, and stored nowhere. */
export function webhookSecret(signingKey: Uint8Array, accountId: string, address: string): string {
  // Derived and not just hashed: with the same key the server signs texts that models write.
  const bytes = hkdfSync('sha256', signingKey, `${accountId} ${address}`, 'webhook', 32);
  return webhookPrefix + Buffer.from(bytes).toString('base64');
}
