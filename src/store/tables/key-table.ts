import type { Statement } from 'better-sqlite3';
import type { Database } from '../database.ts';

export type KeyKind = 'user' | 'admin';

export interface KeyRow {
  readonly id: string;
  /** The key whose balances it uses: its own, or after a rotation those of the one that it replaces. */
  readonly balanceId: string;
  readonly accountId: string;
  /** What may be shown of the secret. */
  readonly redacted: string;
  readonly name: string;
  readonly kind: KeyKind;
  /** JSON array of canonical model ids; null: all. */
  readonly allowedModels: string | null;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface KeyWithAccountRow extends KeyRow {
  readonly accountName: string;
  readonly plan: string;
  readonly planSetAtMs: number;
  readonly accountCreatedAtMs: number;
}

/** SHA-256 of a secret: 32 bytes. */
export type KeyHash = Buffer;

const columns = `
  keys.id, keys.balance_id AS balanceId, keys.account_id AS accountId, keys.redacted, keys.name, keys.kind,
  keys.allowed_models AS allowedModels, keys.created_at_ms AS createdAtMs,
  keys.last_used_at_ms AS lastUsedAtMs, keys.expires_at_ms AS expiresAtMs, keys.revoked_at_ms AS revokedAtMs,
  accounts.name AS accountName, accounts.plan, accounts.plan_set_at_ms AS planSetAtMs,
  accounts.created_at_ms AS accountCreatedAtMs`;

const accountIsPresent = 'accounts.removed_at_ms IS NULL';

/** API keys by hash. Keys are never deleted: the ledger names them. */
export class KeyTable {
  readonly #insert: Statement<[KeyRow & { hash: KeyHash }]>;
  readonly #list: Statement<[], KeyWithAccountRow>;
  readonly #byId: Statement<[string], KeyWithAccountRow>;
  readonly #balanceIdOf: Statement<[string], string>;
  readonly #byHash: Statement<[KeyHash], KeyWithAccountRow>;
  readonly #revoke: Statement<[number, string]>;
  readonly #revokeAllOf: Statement<[number, string]>;
  readonly #setExpiry: Statement<[number, string]>;
  readonly #touch: Statement<[number, string]>;
  readonly #setSecret: Statement<[{ id: string; hash: KeyHash; redacted: string; expiresAtMs: number }]>;
  readonly #expireSecret: Statement<[number, KeyHash]>;

  constructor({ connection }: Database) {
    const from = `SELECT ${columns} FROM keys JOIN accounts ON accounts.id = keys.account_id`;
    this.#insert = connection.prepare(
      `INSERT INTO keys (id, balance_id, account_id, hash, redacted, name, kind, allowed_models,
                         created_at_ms, last_used_at_ms, expires_at_ms, revoked_at_ms)
       VALUES (:id, :balanceId, :accountId, :hash, :redacted, :name, :kind, :allowedModels,
               :createdAtMs, :lastUsedAtMs, :expiresAtMs, :revokedAtMs)`,
    );
    this.#list = connection.prepare(
      `${from} WHERE ${accountIsPresent} ORDER BY accounts.name, keys.created_at_ms, keys.id`,
    );
    this.#byId = connection.prepare(`${from} WHERE keys.id = ?`);
    this.#balanceIdOf = connection
      .prepare<[string], string>('SELECT balance_id FROM keys WHERE id = ?')
      .pluck();
    this.#byHash = connection.prepare(`${from} WHERE keys.hash = ? AND ${accountIsPresent}`);
    this.#revoke = connection.prepare('UPDATE keys SET revoked_at_ms = ? WHERE id = ?');
    this.#revokeAllOf = connection.prepare(
      'UPDATE keys SET revoked_at_ms = ? WHERE account_id = ? AND revoked_at_ms IS NULL',
    );
    this.#setExpiry = connection.prepare('UPDATE keys SET expires_at_ms = ? WHERE id = ?');
    this.#touch = connection.prepare('UPDATE keys SET last_used_at_ms = ? WHERE id = ?');
    this.#setSecret = connection.prepare(
      `UPDATE keys SET hash = :hash, redacted = :redacted, expires_at_ms = :expiresAtMs WHERE id = :id`,
    );
    this.#expireSecret = connection.prepare('UPDATE keys SET expires_at_ms = ? WHERE hash = ?');
  }

  insert(row: KeyRow, hash: KeyHash): void {
    this.#insert.run({ ...row, hash });
  }

  /** By account name, oldest first; without those of removed accounts. */
  list(): KeyWithAccountRow[] {
    return this.#list.all();
  }

  byId(id: string): KeyWithAccountRow | undefined {
    return this.#byId.get(id);
  }

  balanceIdOf(id: string): string | undefined {
    return this.#balanceIdOf.get(id);
  }

  /** undefined also where the account was removed. */
  byHash(hash: KeyHash): KeyWithAccountRow | undefined {
    return this.#byHash.get(hash);
  }

  revoke(id: string, nowMs: number): void {
    this.#revoke.run(nowMs, id);
  }

  /** How many keys of the account were revoked: those that were not before. */
  revokeAllOf(accountId: string, nowMs: number): number {
    return this.#revokeAllOf.run(nowMs, accountId).changes;
  }

  setExpiry(id: string, expiresAtMs: number): void {
    this.#setExpiry.run(expiresAtMs, id);
  }

  touch(id: string, nowMs: number): void {
    this.#touch.run(nowMs, id);
  }

  /** Gives a key another secret, until `expiresAtMs`; the one before no longer works. */
  setSecret(id: string, secret: { hash: KeyHash; redacted: string; expiresAtMs: number }): void {
    this.#setSecret.run({ id, ...secret });
  }

  /** Ends the life of a secret; nothing happens where its key has another one by now. */
  expireSecret(hash: KeyHash, nowMs: number): void {
    this.#expireSecret.run(nowMs, hash);
  }
}
