import { columnsOf, Table } from '../database.ts';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  /** The plan that was set. */
  readonly plan: string;
  readonly planSetAtMs: number;
  readonly createdAtMs: number;
  /** Where it is told of its budgets; null: nowhere. */
  readonly webhook: string | null;
}

const columns = columnsOf('id, name, plan, planSetAtMs, createdAtMs, webhook');
const present = '(SELECT * FROM accounts WHERE removed_at_ms IS NULL)';
const replacing = 'ON CONFLICT (issuer, subject) DO UPDATE SET account_id = excluded.account_id';

/** Who keys belong to. The rows of removed accounts stay, and only `byIdEvenRemoved` finds them. */
export class AccountTable extends Table {
  /** False when the name is taken. */
  insert(row: Omit<AccountRow, 'webhook'> & Partial<AccountRow>): boolean {
    return this.insertInto('accounts', row, 'ON CONFLICT (name) DO NOTHING').changes === 1;
  }

  /** By name. */
  list(): AccountRow[] {
    return this.database.all(`SELECT ${columns} FROM ${present} ORDER BY name`);
  }

  byId(id: string): AccountRow | undefined {
    return this.database.first(`SELECT ${columns} FROM ${present} WHERE id = ?`, id);
  }

  byIdEvenRemoved(id: string): AccountRow | undefined {
    return this.database.first(`SELECT ${columns} FROM accounts WHERE id = ?`, id);
  }

  byName(name: string): AccountRow | undefined {
    return this.database.first(`SELECT ${columns} FROM ${present} WHERE name = ?`, name);
  }

  /** Of the person whom an issuer of sign-ins knows by `subject`. */
  byIdentity(issuer: string, subject: string): AccountRow | undefined {
    return this.database.first(
      `SELECT ${columns} FROM ${present} WHERE id =
         (SELECT account_id FROM identities WHERE issuer = ? AND subject = ?)`,
      issuer,
      subject,
    );
  }

  /** Also in the place of an account that was removed. */
  setIdentity(issuer: string, subject: string, accountId: string): void {
    this.insertInto('identities', { issuer, subject, accountId }, replacing);
  }

  setName(id: string, name: string): void {
    this.database.run('UPDATE accounts SET name = ? WHERE id = ?', name, id);
  }

  setPlan(id: string, plan: string, nowMs: number): void {
    this.database.run('UPDATE accounts SET plan = ?, plan_set_at_ms = ? WHERE id = ?', plan, nowMs, id);
  }

  setWebhook(id: string, webhook: string | null): void {
    this.database.run('UPDATE accounts SET webhook = ? WHERE id = ?', webhook, id);
  }

  /** Renames the row after its id, so that its name is free again. */
  remove(id: string, nowMs: number): void {
    this.database.run(
      `UPDATE accounts SET removed_at_ms = ?, name = name || ' (removed, ' || id || ')' WHERE id = ?`,
      nowMs,
      id,
    );
  }

  /** True when there never was an account. */
  isEmpty(): boolean {
    return this.database.first('SELECT 1 FROM accounts LIMIT 1') === undefined;
  }
}
