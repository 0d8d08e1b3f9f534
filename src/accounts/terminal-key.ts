import type { KeyWithAccountRow } from '../store/tables/key-table.ts';
import { actingAs, onThisMachine } from './audit.ts';
import { setBudgets } from './budgets/budget.ts';
import { ownerAccountId, type BootstrapDeps } from './bootstrap.ts';
import { keyState } from './keys.ts';
import { createSecret, hashSecret, redactSecret } from './secrets.ts';
import type { Clock } from './types.ts';

export const terminalKeyName = 'hearth chat and transcribe';
/** A secret is for one request, which a busy server may read late. */
const lifetimeMs = 5 * 60_000;

export interface TerminalKeyDeps extends Omit<BootstrapDeps, 'apiKey'> {
  readonly now: Clock;
  /** The key's name in lists; default: that of the commands which ask the server themselves. */
  readonly name?: string;
  /** The account that pays; default: `local`, made where it is not there. */
  readonly accountId?: string | undefined;
}

/**
 * The key with which commands use the running server. A user who can write the database may make keys anyway. Each
 * request has a new secret, which is stored nowhere and works for five minutes at most. The expired key stays for the
 * next command, so that its balances go on and the list of keys does not grow. Commands that run at the same time use
 * one key each.
 */
export class TerminalKey {
  readonly #deps: TerminalKeyDeps;
  #current: { readonly id: string; readonly secret: string; readonly expiresAtMs: number } | undefined;

  constructor(deps: TerminalKeyDeps) {
    this.#deps = deps;
  }

  /** A secret for the next request; the one before no longer works. */
  renew(): string {
    return actingAs(onThisMachine('command line'), () => this.#deps.store.immediate(() => this.#renew()));
  }

  #renew(): string {
    const { store, accounts, keys, now } = this.#deps;
    const nowMs = now();
    const expiresAtMs = nowMs + lifetimeMs;
    const accountId = this.#deps.accountId ?? ownerAccountId({ store, accounts });
    const { name = terminalKeyName } = this.#deps;
    const free = store.keys
      .list()
      .find((row) => row.accountId === accountId && this.#isFree(row, name, nowMs));
    if (free === undefined) {
      const { key, secret } = keys.create({ accountId, name, expiresAtMs });
      this.#current = { id: key.id, secret, expiresAtMs };
      return secret;
    }
    const secret = createSecret('user');
    const stored = { hash: hashSecret(secret), redacted: redactSecret(secret), expiresAtMs };
    store.keys.setSecret(free.id, stored);
    this.#current = { id: free.id, secret, expiresAtMs };
    return secret;
  }

  /** Gives the key a budget of tokens from now on; undefined: it has none. */
  limit(tokens: number | undefined): void {
    if (this.#current === undefined) return;
    const { store } = this.#deps;
    store.budgets.deleteAllOf(this.#current.id);
    setBudgets(store, this.#current.id, { tokens: { ever: tokens } });
  }

  /** Has the last secret work for another five minutes, for a program that keeps it. */
  extend(): void {
    if (this.#current === undefined) return;
    const expiresAtMs = this.#deps.now() + lifetimeMs;
    this.#deps.store.keys.setExpiry(this.#current.id, expiresAtMs);
    this.#current = { ...this.#current, expiresAtMs };
  }

  /** The id of the key; undefined before the first secret. */
  get id(): string | undefined {
    return this.#current?.id;
  }

  /** Ends the last secret. */
  release(): void {
    if (this.#current === undefined) return;
    this.#deps.store.keys.expireSecret(hashSecret(this.#current.secret), this.#deps.now());
    this.#current = undefined;
  }

  /** Whether `row` is a terminal key that this command uses already or that no command uses now. */
  #isFree(row: KeyWithAccountRow, name: string, nowMs: number): boolean {
    if (
      row.name !== name ||
      row.kind !== 'user' ||
      (row.allowedModels ?? row.scopes ?? row.parallel) !== null
    )
      return false;
    const isOwn = row.id === this.#current?.id && nowMs < this.#current.expiresAtMs;
    const state = keyState(row, nowMs);
    return state === 'expired' || (isOwn && state === 'active');
  }
}
