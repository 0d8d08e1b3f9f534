import { columnsOf, Table } from '../database.ts';

export interface InvitationRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** JSON of the options of keys that claims make. */
  readonly keyOptions: string;
  /** How many people may claim it. */
  readonly seats: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** null: it is not closed. */
  readonly closedAtMs: number | null;
}

/** A seat that was taken. */
export interface ClaimRow {
  readonly accountId: string;
  /** The account's name now. */
  readonly accountName: string;
  readonly keyId: string;
  readonly claimedAtMs: number;
}

const columns = columnsOf('id, name, plan, keyOptions, seats, createdAtMs, expiresAtMs, closedAtMs');
const claims = `SELECT account_id AS accountId, accounts.name AS accountName, key_id AS keyId,
    claimed_at_ms AS claimedAtMs
  FROM claims JOIN accounts ON accounts.id = account_id WHERE invitation_id = ?`;

/** Invitations by the hash of their code, and who claimed them. They are never deleted. */
export class InvitationTable extends Table {
  insert(row: InvitationRow, hash: Buffer): void {
    this.insertInto('invitations', { ...row, hash });
  }

  /** The newest first. */
  list(): InvitationRow[] {
    return this.database.all(`SELECT ${columns} FROM invitations ORDER BY created_at_ms DESC, id`);
  }

  byId(id: string): InvitationRow | undefined {
    return this.database.first(`SELECT ${columns} FROM invitations WHERE id = ?`, id);
  }

  byHash(hash: Buffer): InvitationRow | undefined {
    return this.database.first(`SELECT ${columns} FROM invitations WHERE hash = ?`, hash);
  }

  close(id: string, nowMs: number): void {
    const sql = 'UPDATE invitations SET closed_at_ms = ? WHERE id = ? AND closed_at_ms IS NULL';
    this.database.run(sql, nowMs, id);
  }

  setHash(id: string, hash: Buffer): void {
    this.database.run('UPDATE invitations SET hash = ? WHERE id = ?', hash, id);
  }

  /** Oldest first. */
  claims(id: string): ClaimRow[] {
    return this.database.all(`${claims} ORDER BY claimed_at_ms, key_id`, id);
  }

  claimBy(id: string, browser: Buffer): ClaimRow | undefined {
    return this.database.first(`${claims} AND browser = ?`, id, browser);
  }

  addClaim(id: string, browser: Buffer, row: Omit<ClaimRow, 'accountName'>): void {
    this.insertInto('claims', { invitationId: id, browser, ...row });
  }

  /** How many keys were revoked that claims made, and those in their place. */
  revokeKeys(id: string, nowMs: number): number {
    const sql = `UPDATE keys SET revoked_at_ms = ? WHERE revoked_at_ms IS NULL
      AND balance_id IN (SELECT key_id FROM claims WHERE invitation_id = ?)`;
    return this.database.run(sql, nowMs, id).changes;
  }
}
