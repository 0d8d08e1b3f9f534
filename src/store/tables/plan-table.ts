import { columnsOf, Table } from '../database.ts';

export interface PlanRow {
  readonly name: string;
  /** JSON. */
  readonly plan: string;
  readonly changedAtMs: number;
}

/** Plans beside those of the settings. */
export class PlanTable extends Table {
  /** By name. */
  list(): PlanRow[] {
    return this.database.all(`SELECT ${columnsOf('name, plan, changedAtMs')} FROM plans ORDER BY name`);
  }

  set(row: PlanRow): void {
    this.insertInto(
      'plans',
      row,
      'ON CONFLICT (name) DO UPDATE SET plan = excluded.plan, changed_at_ms = excluded.changed_at_ms',
    );
  }

  delete(name: string): void {
    this.database.run('DELETE FROM plans WHERE name = ?', name);
  }
}
