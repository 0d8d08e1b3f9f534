import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Accounts } from '../accounts.ts';
import { bootstrapAccountName } from '../bootstrap.ts';
import type { Keys } from '../keys.ts';
import { hashSecret } from '../secrets.ts';
import type { Clock } from '../types.ts';

const codeLifetimeMs = 10 * 60_000;
const sessionMs = 12 * 3_600_000;
/** Codes that may wait to be used; another one replaces the oldest. */
const maxCodes = 1000;
/** Of the keys of sessions, which signing out revokes. */
const sessionKeyName = 'page';

/** The secrets of a session of the page: one for /v1, and for the machine's owner one for /admin/v1. */
interface SessionSecrets {
  readonly user: string;
  readonly admin?: string;
}

interface SignInDeps {
  readonly accounts: Pick<Accounts, 'list'>;
  readonly keys: Pick<Keys, 'create' | 'get' | 'revoke'>;
  readonly now: Clock;
}

interface WaitingCode {
  readonly hash: Buffer;
  /** undefined: the owner's, who may administrate. */
  readonly accountId: string | undefined;
  readonly expiresAtMs: number;
}

/** One-time codes that sign people in to the page. They are held in memory, as hashes only. */
export class SignInCodes {
  readonly #deps: SignInDeps;
  #codes: WaitingCode[] = [];

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** A code that works once within ten minutes: for this account, or for the owner of the machine. */
  create(accountId?: string): string {
    const code = randomBytes(18).toString('base64url');
    const waiting = { hash: hashSecret(code), accountId, expiresAtMs: this.#deps.now() + codeLifetimeMs };
    this.#codes = [...this.#codes, waiting].slice(-maxCodes);
    return code;
  }

  /** Keys that expire after 12 hours; undefined: the code is unknown, used or too old, or its account is gone. */
  redeem(code: string): SessionSecrets | undefined {
    const hash = hashSecret(code);
    const found = this.#codes.find((waiting) => timingSafeEqual(waiting.hash, hash));
    this.#codes = this.#codes.filter((waiting) => waiting !== found);
    const { accounts, keys, now } = this.#deps;
    if (found === undefined || found.expiresAtMs <= now()) return undefined;
    const all = accounts.list();
    const { accountId } = found;
    const owner =
      accountId === undefined
        ? (all.find(({ name }) => name === bootstrapAccountName) ?? all[0])
        : all.find(({ id }) => id === accountId);
    if (owner === undefined) return undefined;
    const key = { accountId: owner.id, name: sessionKeyName, expiresAtMs: now() + sessionMs };
    const { secret: user } = keys.create(key);
    return accountId === undefined
      ? { user, admin: keys.create({ ...key, kind: 'admin' }).secret }
      : { user };
  }

  /** Revokes a key that `redeem` made; false: it is another one, which stays. */
  end(keyId: string): boolean {
    const { name, expiresAtMs } = this.#deps.keys.get(keyId);
    const isOfSession = name === sessionKeyName && expiresAtMs !== null;
    if (isOfSession) this.#deps.keys.revoke(keyId);
    return isOfSession;
  }
}
