import type { Statement } from 'better-sqlite3';
import type { Database } from './database.ts';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly planSetAtMs: number;
  readonly createdAtMs: number;
}

const columns = 'id, name, plan, plan_set_at_ms AS planSetAtMs, created_at_ms AS createdAtMs';

/** Who keys belong to. Accounts are never deleted. */
export class AccountTable {
  readonly #insert: Statement<[AccountRow]>;
  readonly #list: Statement<[], AccountRow>;
  readonly #byId: Statement<[string], AccountRow>;
  readonly #byName: Statement<[string], AccountRow>;
  readonly #setPlan: Statement<[string, number, string]>;
  readonly #any: Statement<[]>;

  constructor({ connection }: Database) {
    this.#insert = connection.prepare(
      `INSERT INTO accounts (id, name, plan, plan_set_at_ms, created_at_ms)
       VALUES (:id, :name, :plan, :planSetAtMs, :createdAtMs)
       ON CONFLICT (name) DO NOTHING`,
    );
    this.#list = connection.prepare(`SELECT ${columns} FROM accounts ORDER BY name`);
    this.#byId = connection.prepare(`SELECT ${columns} FROM accounts WHERE id = ?`);
    this.#byName = connection.prepare(`SELECT ${columns} FROM accounts WHERE name = ?`);
    this.#setPlan = connection.prepare('UPDATE accounts SET plan = ?, plan_set_at_ms = ? WHERE id = ?');
    this.#any = connection.prepare('SELECT 1 FROM accounts LIMIT 1');
  }

  /** False when the name is taken. */
  insert(row: AccountRow): boolean {
    return this.#insert.run(row).changes === 1;
  }

  /** By name. */
  list(): AccountRow[] {
    return this.#list.all();
  }

  byId(id: string): AccountRow | undefined {
    return this.#byId.get(id);
  }

  byName(name: string): AccountRow | undefined {
    return this.#byName.get(name);
  }

  setPlan(id: string, plan: string, nowMs: number): void {
    this.#setPlan.run(plan, nowMs, id);
  }

  isEmpty(): boolean {
    return this.#any.get() === undefined;
  }
}
