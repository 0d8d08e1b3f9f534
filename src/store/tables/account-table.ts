import type { Statement } from 'better-sqlite3';
import type { Database } from '../database.ts';

export interface AccountRow {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly planSetAtMs: number;
  readonly createdAtMs: number;
}

const columns = 'id, name, plan, plan_set_at_ms AS planSetAtMs, created_at_ms AS createdAtMs';
const present = '(SELECT * FROM accounts WHERE removed_at_ms IS NULL)';

/** Who keys belong to. The rows of removed accounts stay, and only `byIdEvenRemoved` finds them. */
export class AccountTable {
  readonly #insert: Statement<[AccountRow]>;
  readonly #list: Statement<[], AccountRow>;
  readonly #byId: Statement<[string], AccountRow>;
  readonly #byIdEvenRemoved: Statement<[string], AccountRow>;
  readonly #byName: Statement<[string], AccountRow>;
  readonly #setPlan: Statement<[string, number, string]>;
  readonly #remove: Statement<[number, string]>;
  readonly #any: Statement<[]>;

  constructor({ connection }: Database) {
    this.#insert = connection.prepare(
      `INSERT INTO accounts (id, name, plan, plan_set_at_ms, created_at_ms)
       VALUES (:id, :name, :plan, :planSetAtMs, :createdAtMs)
       ON CONFLICT (name) DO NOTHING`,
    );
    this.#list = connection.prepare(`SELECT ${columns} FROM ${present} ORDER BY name`);
    this.#byId = connection.prepare(`SELECT ${columns} FROM ${present} WHERE id = ?`);
    this.#byIdEvenRemoved = connection.prepare(`SELECT ${columns} FROM accounts WHERE id = ?`);
    this.#byName = connection.prepare(`SELECT ${columns} FROM ${present} WHERE name = ?`);
    this.#setPlan = connection.prepare('UPDATE accounts SET plan = ?, plan_set_at_ms = ? WHERE id = ?');
    this.#remove = connection.prepare(
      `UPDATE accounts SET removed_at_ms = ?, name = name || ' (removed, ' || id || ')' WHERE id = ?`,
    );
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

  byIdEvenRemoved(id: string): AccountRow | undefined {
    return this.#byIdEvenRemoved.get(id);
  }

  byName(name: string): AccountRow | undefined {
    return this.#byName.get(name);
  }

  setPlan(id: string, plan: string, nowMs: number): void {
    this.#setPlan.run(plan, nowMs, id);
  }

  /** Renames the row after its id, so that its name is free again. */
  remove(id: string, nowMs: number): void {
    this.#remove.run(nowMs, id);
  }

  /** True when there never was an account. */
  isEmpty(): boolean {
    return this.#any.get() === undefined;
  }
}
