import { ConfigError } from '../errors/operator-errors.ts';
import { unlimitedPlanName } from './plans.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from './accounts.ts';
import type { Keys } from './keys.ts';
import { adminPrefix, hashSecret, type Secret } from './secrets.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from './types.ts';

/** The account of the machine's owner. */
export const bootstrapAccountName = 'local';

/** Whether a start made the owner's key. The secret of `created` is to be shown, once. */
export type Bootstrap =
  | { readonly outcome: 'created'; readonly secret: string }
  | { readonly outcome: 'created-from-environment' }
  | {
      readonly outcome: 'existing';
      /** HEARTH_API_KEY is set, but no key of this database has that value. */
      readonly unknownApiKey: boolean;
    };

export interface BootstrapDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly apiKey: Secret | undefined;
}

/** The account of the machine's owner, which is made where there is none. */
export function ownerAccountId({ store, accounts }: Pick<BootstrapDeps, 'store' | 'accounts'>): string {
  const account = store.accounts.byName(bootstrapAccountName);
  return account?.id ?? accounts.create({ name: bootstrapAccountName, plan: unlimitedPlanName }).id;
}

const keylessName = 'programs on this machine without a key (--no-key)';

/** Id of the owner's key that nobody knows, by which requests without one are metered. It is made where there is none. */
export function ensureKeylessKey({ store, accounts, keys }: Omit<BootstrapDeps, 'apiKey'>): string {
  return store.immediate(() => {
    const accountId = ownerAccountId({ store, accounts });
    const own = keys.list(accountId).find(({ name, state }) => name === keylessName && state === 'active');
    return own?.id ?? keys.create({ accountId, name: keylessName }).key.id;
  });
}

function checkApiKey(secret: string): void {
  if (!/^[\x21-\x7e]{8,256}$/.test(secret)) {
    throw new ConfigError(
      'HEARTH_API_KEY must be 8 to 256 visible ASCII characters without spaces',
      'make one with: openssl rand -hex 32',
    );
  }
  if (secret.startsWith(adminPrefix)) {
    throw new ConfigError(
      `HEARTH_API_KEY must not start with ${adminPrefix}: it becomes an ordinary key`,
      'admin keys are made by the command "keys create" with --admin',
    );
  }
}

/** Makes the owner's account and its key in an empty database; changes nothing in any other. Throws ConfigError. */
export function ensureBootstrap({ store, accounts, keys, apiKey }: BootstrapDeps): Bootstrap {
  const given = apiKey?.reveal();
  if (given !== undefined) checkApiKey(given);
  return store.immediate((): Bootstrap => {
    if (!store.accounts.isEmpty()) {
      const isKnown = given === undefined || store.keys.byHash(hashSecret(given)) !== undefined;
      return { outcome: 'existing', unknownApiKey: !isKnown };
    }
    const { id } = accounts.create({ name: bootstrapAccountName, plan: unlimitedPlanName });
    const { secret } = keys.create({ accountId: id, name: 'first key', secret: given });
    return given === undefined ? { outcome: 'created', secret } : { outcome: 'created-from-environment' };
  });
}

const codeLifetimeMs = 10 * 60_000;
const sessionMs = 12 * 3_600_000;
/** Codes that may wait to be used; another one replaces the oldest. */
const maxCodes = 16;

/** The secrets of a session of the page: one for /v1, one for /admin/v1. */
interface SessionSecrets {
  readonly user: string;
  readonly admin: string;
}

interface SignInDeps {
  readonly accounts: Pick<Accounts, 'list'>;
  readonly keys: Pick<Keys, 'create'>;
  readonly now: Clock;
}

interface WaitingCode {
  readonly hash: Buffer;
  readonly expiresAtMs: number;
}

/** One-time codes that sign the owner of the machine in to the page. They are held in memory, as hashes only. */
export class SignInCodes {
  readonly #deps: SignInDeps;
  #codes: WaitingCode[] = [];

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /** A code that works once within ten minutes. */
  create(): string {
    const code = randomBytes(18).toString('base64url');
    const waiting = { hash: hashSecret(code), expiresAtMs: this.#deps.now() + codeLifetimeMs };
    this.#codes = [...this.#codes, waiting].slice(-maxCodes);
    return code;
  }

  /** Keys of the owner's account that expire after 12 hours; undefined: the code is unknown, used or too old. */
  redeem(code: string): SessionSecrets | undefined {
    const hash = hashSecret(code);
    const found = this.#codes.find((waiting) => timingSafeEqual(waiting.hash, hash));
    this.#codes = this.#codes.filter((waiting) => waiting !== found);
    const { accounts, keys, now } = this.#deps;
    if (found === undefined || found.expiresAtMs <= now()) return undefined;
    const all = accounts.list();
    const owner = all.find(({ name }) => name === bootstrapAccountName) ?? all[0];
    if (owner === undefined) return undefined;
    const key = { accountId: owner.id, name: 'page', expiresAtMs: now() + sessionMs };
    return { user: keys.create(key).secret, admin: keys.create({ ...key, kind: 'admin' }).secret };
  }
}
