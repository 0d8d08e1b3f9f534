import { columnsOf, Table } from '../../database.ts';

export type BudgetMeasure = 'tokens' | 'requests' | 'audioSeconds' | 'units';
export type BudgetPeriod = 'ever' | 'day' | 'week' | 'month';

/** The limit of an account, or of a key with those that it replaces, in a period, and its use so far. */
export interface BudgetRow {
  /** The id of an account, or of a key's balances. */
  readonly ownerId: string;
  readonly measure: BudgetMeasure;
  readonly period: BudgetPeriod;
  /** null: only the account's plan limits it. */
  readonly limitUnits: number | null;
  readonly used: number;
  /** The date on which the period of `used` began; empty: it has no beginning, or nothing was used. */
  readonly periodStart: string;
}

const columns = columnsOf('ownerId, measure, period, limitUnits, used, periodStart');

export class BudgetTable extends Table {
  /** Those of a key's balances and of its account. */
  of(keyId: string, accountId: string): BudgetRow[] {
    return this.database.all(
      `SELECT ${columns} FROM budgets
       WHERE owner_id IN (?, coalesce((SELECT balance_id FROM keys WHERE id = ?), ?))`,
      accountId,
      keyId,
      keyId,
    );
  }

  ofOwner(ownerId: string): BudgetRow[] {
    return this.database.all(`SELECT ${columns} FROM budgets WHERE owner_id = ?`, ownerId);
  }

  /** The use so far stays. */
  setLimit(ownerId: string, measure: BudgetMeasure, period: BudgetPeriod, limitUnits: number | null): void {
    const row = { ownerId, measure, period, limitUnits };
    this.insertInto('budgets', row, 'ON CONFLICT DO UPDATE SET limit_units = :limitUnits');
  }

  setUsed(row: Omit<BudgetRow, 'limitUnits'>): void {
    this.insertInto('budgets', row, 'ON CONFLICT DO UPDATE SET used = :used, period_start = :periodStart');
  }

  deleteAllOf(ownerId: string): void {
    this.database.run('DELETE FROM budgets WHERE owner_id = ?', ownerId);
  }
}
