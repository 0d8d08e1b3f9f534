import { AsyncLocalStorage } from 'node:async_hooks';
import { userInfo } from 'node:os';
import type { AuditRow } from '../store/tables/audit-table.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from './types.ts';

/** Who does administrative acts, and from where. */
type Doer = Pick<AuditRow, 'actor' | 'origin'>;

const doers = new AsyncLocalStorage<Doer & { hasActed: boolean }>();

export interface AuditEntry extends Omit<AuditRow, 'before' | 'after'> {
  /** The fields that the act changed, as they were, with the names of its subject; null: that is new. */
  readonly before: unknown;
  /** The same fields as they became; null: its subject is gone. */
  readonly after: unknown;
}

/** The user of the machine who runs a command, or the server as that user. */
export const onThisMachine = (actor: 'command line' | 'server'): Doer => ({ actor, origin: userName() });

/** An account of a container may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The result of `work`, the acts of which are written down as those of `doer`. */
export function actingAs<Result>(doer: Doer, work: () => Result): Result {
  return doers.run({ ...doer, hasActed: false }, work);
}

/** As `actingAs`, from where the doer of the work under way is. */
export function actingFor<Result>(actor: string, work: () => Result): Result {
  const doer = doers.getStore();
  return doer === undefined ? work() : actingAs({ actor, origin: doer.origin }, work);
}

/** Whether the work under way has written down an act. */
export const hasActed = (): boolean => doers.getStore()?.hasActed ?? false;

/**
 * Writes an act down, in the transaction that does it: both are there or neither. Nothing is written for work that
 * no `actingAs` is around. Of `before` and `after` only names and fields that differ are kept; they hold no secrets.
 */
export function noteAct(
  store: Store,
  atMs: number,
  act: string,
  subject: string,
  before: object | null,
  after: object | null,
): void {
  const doer = doers.getStore();
  if (doer === undefined) return;
  doer.hasActed = true;
  const [old, changed] = before === null || after === null ? [before, after] : differing(before, after);
  const { actor, origin } = doer;
  store.audit.insert({ atMs, actor, origin, act, subject, before: toJson(old), after: toJson(changed) });
}

const toJson = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Fields by which people know the changed object, also once it is gone with its account. */
const names = new Set(['name', 'accountName', 'redacted']);

function differing(before: object, after: object): [object, object] {
  const [old, changed] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const name of new Set([...old.keys(), ...changed.keys()])) {
    if (names.has(name) || JSON.stringify(old.get(name)) !== JSON.stringify(changed.get(name))) continue;
    old.delete(name);
    changed.delete(name);
  }
  return [Object.fromEntries(old), Object.fromEntries(changed)];
}

/** The acts that were written down, the newest first. */
export function listActs(
  store: Store,
  {
    fromMs = 0,
    beforeId = Number.MAX_SAFE_INTEGER,
    limit = 100,
  }: { fromMs?: number | undefined; beforeId?: number | undefined; limit?: number },
): AuditEntry[] {
  const parse = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
  return store.audit
    .list({ fromMs, beforeId, limit })
    .map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
}

/** The acts of a store, and how one is added whose subject is not in the store. */
export const auditOf = (store: Store, now: Clock) => ({
  note: (act: string, subject: string, before?: object, after?: object) =>
    noteAct(store, now(), act, subject, before ?? null, after ?? null),
  list: (wanted: Parameters<typeof listActs>[1]) => listActs(store, wanted),
});
