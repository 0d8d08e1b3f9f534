import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Keys } from './keys.ts';
import type { Accounts } from './accounts.ts';
import { bootstrapAccountName } from './bootstrap.ts';
import { hashSecret } from './secrets.ts';
import type { Clock } from './types.ts';

const codeLifetimeMs = 10 * 60_000;
const sessionMs = 12 * 3_600_000;
/** Codes that may wait to be used; another one replaces the oldest. */
const maxCodes = 16;

/** The secrets of a session of the page: one for /v1, one for /admin/v1. */
export interface SessionSecrets {
  readonly user: string;
  readonly admin: string;
}

interface WaitingCode {
  readonly hash: Buffer;
  readonly expiresAtMs: number;
}

/** One-time codes that sign the owner of the machine in to the page. They are held in memory, as hashes only. */
export class SignInCodes {
  readonly #accounts: Pick<Accounts, 'list'>;
  readonly #keys: Pick<Keys, 'create'>;
  readonly #now: Clock;
  #codes: WaitingCode[] = [];

  constructor({
    accounts,
    keys,
    now,
  }: {
    accounts: Pick<Accounts, 'list'>;
    keys: Pick<Keys, 'create'>;
    now: Clock;
  }) {
    this.#accounts = accounts;
    this.#keys = keys;
    this.#now = now;
  }

  /** A code that works once within ten minutes. */
  create(): string {
    const code = randomBytes(18).toString('base64url');
    const waiting = { hash: hashSecret(code), expiresAtMs: this.#now() + codeLifetimeMs };
    this.#codes = [...this.#codes, waiting].slice(-maxCodes);
    return code;
  }

  /** Keys of the owner's account that expire after 12 hours; undefined: the code is unknown, used or too old. */
  redeem(code: string): SessionSecrets | undefined {
    const hash = hashSecret(code);
    const found = this.#codes.find((waiting) => timingSafeEqual(waiting.hash, hash));
    this.#codes = this.#codes.filter((waiting) => waiting !== found);
    if (found === undefined || found.expiresAtMs <= this.#now()) return undefined;
    const accounts = this.#accounts.list();
    const owner = accounts.find(({ name }) => name === bootstrapAccountName) ?? accounts[0];
    if (owner === undefined) return undefined;
    const key = { accountId: owner.id, name: 'page', expiresAtMs: this.#now() + sessionMs };
    return {
      user: this.#keys.create(key).secret,
      admin: this.#keys.create({ ...key, kind: 'admin' }).secret,
    };
  }
}
