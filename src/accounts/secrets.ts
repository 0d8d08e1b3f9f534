import { hash, randomBytes } from 'node:crypto';
import type { KeyHash, KeyKind } from '../store/tables/key-table.ts';

export const adminPrefix = 'hk-admin-';
const userPrefix = 'hk-';

/** A new secret: the kind's prefix and 43 characters that carry 256 random bits. */
export function createSecret(kind: KeyKind): string {
  return (kind === 'admin' ? adminPrefix : userPrefix) + randomBytes(32).toString('base64url');
}

/** What is stored of a secret and looked up: a secret of 256 random bits needs no salt. */
export function hashSecret(secret: string): KeyHash {
  return hash('sha256', secret, 'buffer');
}

/** What may be shown of a secret: its first 5 and last 4 characters, fewer where that would give it away. */
export function redactSecret(secret: string): string {
  return secret.length < 20 ? `${secret.slice(0, 2)}…` : `${secret.slice(0, 5)}…${secret.slice(-4)}`;
}

/** An id that says what it names. */
export function createId(prefix: 'acct' | 'key'): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}
