import { Table } from '../database.ts';

export type KeyKind = 'user' | 'admin';

export interface KeyRow {
  readonly id: string;
  /** The key whose balances it uses: its own, or after a rotation those of the one that it replaces. */
  readonly balanceId: string;
  readonly accountId: string;
  /** The part of the secret that may be shown. */
  readonly redacted: string;
  readonly name: string;
  readonly kind: KeyKind;
  /** JSON array of canonical model ids; null: all. */
  readonly allowedModels: string | null;
  /** JSON array; null: all. */
  readonly scopes: string | null;
  /** Most requests at once; null: any number. */
  readonly parallel: number | null;
  readonly createdAtMs: number;
  /** Exact to a minute; null: never. */
  readonly lastUsedAtMs: number | null;
  /** null: never. */
  readonly expiresAtMs: number | null;
  /** null: the key is not revoked. */
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

const select = `
  SELECT keys.id, keys.balance_id AS balanceId, keys.account_id AS accountId, keys.redacted, keys.name, keys.kind,
    keys.allowed_models AS allowedModels, keys.scopes, keys.parallel,
    keys.created_at_ms AS createdAtMs,
    keys.last_used_at_ms AS lastUsedAtMs, keys.expires_at_ms AS expiresAtMs, keys.revoked_at_ms AS revokedAtMs,
    accounts.name AS accountName, accounts.plan, accounts.plan_set_at_ms AS planSetAtMs,
    accounts.created_at_ms AS accountCreatedAtMs
  FROM keys JOIN accounts ON accounts.id = keys.account_id`;
const accountIsPresent = 'accounts.removed_at_ms IS NULL';
// A value that is compared with a column of a join makes SQLite plan the join anew for each value. A subquery does not.
const theValue = '(SELECT ?)';

/** API keys by hash. Keys are never deleted: the ledger names them. */
export class KeyTable extends Table {
  insert(row: KeyRow, hash: KeyHash): void {
    this.insertInto('keys', { ...row, hash });
  }

  /** By account name, oldest first; without those of removed accounts. */
  list(): KeyWithAccountRow[] {
    const order = 'accounts.name, keys.created_at_ms, keys.id';
    return this.database.all(`${select} WHERE ${accountIsPresent} ORDER BY ${order}`);
  }

  byId(id: string): KeyWithAccountRow | undefined {
    return this.database.first(`${select} WHERE keys.id = ${theValue}`, id);
  }

  balanceIdOf(id: string): string | undefined {
    const sql = 'SELECT balance_id AS balanceId FROM keys WHERE id = ?';
    return this.database.first<Pick<KeyRow, 'balanceId'>>(sql, id)?.balanceId;
  }

  /** undefined also where the account was removed. */
  byHash(hash: KeyHash): KeyWithAccountRow | undefined {
    return this.database.first(`${select} WHERE keys.hash = ${theValue} AND ${accountIsPresent}`, hash);
  }

  revoke(id: string, nowMs: number): void {
    this.database.run('UPDATE keys SET revoked_at_ms = ? WHERE id = ?', nowMs, id);
  }

  /** How many keys of the account were revoked: those that were not before. */
  revokeAllOf(accountId: string, nowMs: number): number {
    const sql = 'UPDATE keys SET revoked_at_ms = ? WHERE account_id = ? AND revoked_at_ms IS NULL';
    return this.database.run(sql, nowMs, accountId).changes;
  }

  change(
    id: string,
    fields: Pick<KeyRow, 'name' | 'expiresAtMs' | 'allowedModels' | 'scopes' | 'parallel'>,
  ): void {
    this.database.run(
      `UPDATE keys SET name = :name, expires_at_ms = :expiresAtMs, allowed_models = :allowedModels,
         scopes = :scopes, parallel = :parallel WHERE id = :id`,
      { id, ...fields },
    );
  }

  setExpiry(id: string, expiresAtMs: number): void {
    this.database.run('UPDATE keys SET expires_at_ms = ? WHERE id = ?', expiresAtMs, id);
  }

  touch(id: string, nowMs: number): void {
    this.database.run('UPDATE keys SET last_used_at_ms = ? WHERE id = ?', nowMs, id);
  }

  /** Gives a key another secret, until `expiresAtMs`; the one before no longer works. */
  setSecret(id: string, secret: { hash: KeyHash; redacted: string; expiresAtMs: number }): void {
    this.database.run(
      'UPDATE keys SET hash = :hash, redacted = :redacted, expires_at_ms = :expiresAtMs WHERE id = :id',
      { id, ...secret },
    );
  }

  /** Ends the life of a secret; nothing happens where its key has another one by now. */
  expireSecret(hash: KeyHash, nowMs: number): void {
    this.database.run('UPDATE keys SET expires_at_ms = ? WHERE hash = ?', nowMs, hash);
  }
}
