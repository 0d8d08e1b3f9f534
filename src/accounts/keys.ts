import { AppError, invalidValue } from '../errors/errors.ts';
import type { KeyKind, KeyRow, KeyWithAccountRow } from '../store/tables/key-table.ts';
import type { Store } from '../store/store.ts';
import { noteAct } from './audit.ts';
import { toLimit, type Budget, type BudgetLimits, budgetsOf, setBudgets } from './budgets/budget.ts';
import { Calendar } from './budgets/calendar.ts';
import { checkScopes, type Clock } from './types.ts';
import { createId, createSecret, hashSecret, redactSecret } from './secrets.ts';

export interface ApiKey extends Omit<KeyRow, 'balanceId' | 'allowedModels' | 'scopes'> {
  readonly accountName: string;
  readonly state: 'active' | 'expired' | 'revoked';
  /** Canonical model ids; null: all. */
  readonly allowedModels: readonly string[] | null;
  /** The uses that it allows; null: all. */
  readonly scopes: readonly string[] | null;
  /** Of all models together; those that it shares with the keys it replaces. */
  readonly budgets: readonly Budget[];
  /** Tokens left of the one that never begins anew; below zero: more were used. null: it has none. */
  readonly tokensLeft: number | null;
}

/** A new key with its secret, which is known only at this moment. */
export interface CreatedKey {
  readonly key: ApiKey;
  readonly secret: string;
}

export interface NewKey {
  readonly accountId: string;
  readonly name?: string | undefined;
  /** Default: user. */
  readonly kind?: KeyKind | undefined;
  /** Default: never. */
  readonly expiresAtMs?: number | null | undefined;
  /** Default: all. */
  readonly allowedModels?: readonly string[] | null | undefined;
  /** Default: everything. */
  readonly scopes?: readonly string[] | null | undefined;
  /** Default: any number. */
  readonly parallel?: number | null | undefined;
  /** The budgets of the key, over all models together; default: no limits. */
  readonly budgets?: BudgetLimits<number | null> | undefined;
  /** A secret that was chosen elsewhere; default: a random one. */
  readonly secret?: string | undefined;
  /** The key whose balances it uses; default: its own. */
  readonly balanceId?: string | undefined;
}

/** The fields of a key that a change sets; null takes a limit away. */
export type KeyChange = Partial<
  Pick<NewKey, 'name' | 'expiresAtMs' | 'allowedModels' | 'scopes' | 'parallel' | 'budgets'>
>;

/** The state of a key at `nowMs`; only an active one is accepted. */
export function keyState(row: Pick<KeyRow, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): ApiKey['state'] {
  if (row.revokedAtMs !== null) return 'revoked';
  return row.expiresAtMs !== null && nowMs >= row.expiresAtMs ? 'expired' : 'active';
}

/** The model ids or scopes of the stored JSON; null: all. */
export function parseList(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

const toJson = (list: readonly string[] | null) =>
  list === null ? null : JSON.stringify([...new Set(list)]);

/** The entry of a key in the audit log: its settings, and not its use. */
function noted({ budgets, ...key }: ApiKey) {
  return { ...key, lastUsedAtMs: undefined, tokensLeft: undefined, budgets: budgets.map(toLimit) };
}

/** The API keys of all accounts. Methods throw AppError with a public message; none ever shows a secret twice. */
export class Keys {
  readonly #store: Store;
  readonly #now: Clock;
  readonly #calendar: Calendar;

  constructor({ store, now, calendar }: { store: Store; now: Clock; calendar?: Calendar }) {
    this.#store = store;
    this.#now = now;
    this.#calendar = calendar ?? new Calendar();
  }

  create(options: NewKey): CreatedKey {
    const { accountId, name = '', kind = 'user', expiresAtMs = null, allowedModels = null } = options;
    const { scopes = null, parallel = null } = options;
    this.check({ name, expiresAtMs, allowedModels, scopes, parallel }, kind);
    const secret = options.secret ?? createSecret(kind);
    const id = createId('key');
    return this.#store.together(() => {
      this.#store.keys.insert(
        {
          id,
          balanceId: options.balanceId ?? id,
          accountId,
          redacted: redactSecret(secret),
          name,
          kind,
          allowedModels: toJson(allowedModels),
          scopes: toJson(scopes),
          parallel,
          createdAtMs: this.#now(),
          lastUsedAtMs: null,
          expiresAtMs,
          revokedAtMs: null,
        },
        hashSecret(secret),
      );
      setBudgets(this.#store, id, options.budgets ?? {});
      const key = this.get(id);
      noteAct(this.#store, this.#now(), 'key.create', id, null, noted(key));
      return { key, secret };
    });
  }

  /** The key as changed; undefined fields stay. Its balances and the use of its budgets stay. */
  change(id: string, change: KeyChange): ApiKey {
    return this.#store.immediate(() => {
      const row = this.row(id);
      const before = this.#toApiKey(row);
      this.check(change, row.kind);
      const {
        name = row.name,
        expiresAtMs = row.expiresAtMs,
        parallel = row.parallel,
        budgets = {},
      } = change;
      const allowedModels = toJson(change.allowedModels ?? null);
      const scopes = toJson(change.scopes ?? null);
      this.#store.keys.change(id, {
        name,
        expiresAtMs,
        parallel,
        allowedModels: change.allowedModels === undefined ? row.allowedModels : allowedModels,
        scopes: change.scopes === undefined ? row.scopes : scopes,
      });
      setBudgets(this.#store, row.balanceId, budgets);
      const key = this.get(id);
      noteAct(this.#store, this.#now(), 'key.change', id, noted(before), noted(key));
      return key;
    });
  }

  /** Throws invalid_value where a key of this kind cannot be like that. */
  check({ name, expiresAtMs, allowedModels, scopes, parallel }: KeyChange, kind: KeyKind): void {
    if (scopes) checkScopes(kind, scopes);
    if (typeof parallel === 'number' && !(Number.isInteger(parallel) && parallel >= 1 && parallel <= 1000)) {
      throw invalidValue('parallel', 'A key may run 1 to 1000 requests at once.');
    }
    if (!/^[^\p{C}]{0,100}$/u.test(name ?? '')) {
      throw invalidValue('name', 'A key name has at most 100 printable characters.');
    }
    if (expiresAtMs && expiresAtMs <= this.#now()) {
      throw invalidValue('expires', 'A key must expire in the future.');
    }
    if (allowedModels?.length === 0) {
      throw invalidValue('models', 'Name at least one model, or none at all to allow every one.');
    }
  }

  /** By account, oldest first; of one account when its id is given. */
  list(accountId?: string): ApiKey[] {
    const rows = this.#store.keys.list();
    return rows
      .filter((row) => accountId === undefined || row.accountId === accountId)
      .map((row) => this.#toApiKey(row));
  }

  /** By id; not_found when there is none. */
  get(id: string): ApiKey {
    return this.#toApiKey(this.row(id));
  }

  /** The key, which is refused from the next request on. Revoking twice changes nothing. */
  revoke(id: string): ApiKey {
    return this.#store.together(() => {
      const before = this.get(id);
      if (before.revokedAtMs !== null) return before;
      this.#store.keys.revoke(id, this.#now());
      const key = this.get(id);
      noteAct(this.#store, this.#now(), 'key.revoke', id, noted(before), noted(key));
      return key;
    });
  }

  /** A key that replaces `id`, with its rights, lifetime and balances. The old key works for another `overlapMs`. */
  rotate(id: string, overlapMs = 0): CreatedKey {
    if (!Number.isFinite(overlapMs)) {
      throw invalidValue(
        'overlap',
        'The old key must expire some time: -1, which means never, is not allowed here.',
      );
    }
    return this.#store.immediate(() => {
      const old = this.row(id);
      const nowMs = this.#now();
      if (keyState(old, nowMs) !== 'active') {
        throw invalidValue('id', `The key ${id} is ${keyState(old, nowMs)}; create a new one.`);
      }
      const { accountId, name, kind, balanceId, parallel } = old;
      const created = this.create({
        accountId,
        name,
        kind,
        balanceId,
        expiresAtMs: old.expiresAtMs === null ? null : nowMs + (old.expiresAtMs - old.createdAtMs),
        allowedModels: parseList(old.allowedModels),
        scopes: parseList(old.scopes),
        parallel,
      });
      if (overlapMs <= 0) this.#store.keys.revoke(id, nowMs);
      else if (old.expiresAtMs === null || old.expiresAtMs > nowMs + overlapMs) {
        this.#store.keys.setExpiry(id, nowMs + overlapMs);
      }
      noteAct(this.#store, nowMs, 'key.rotate', id, noted(this.#toApiKey(old)), {
        ...noted(this.get(id)),
        replacedBy: created.key.id,
      });
      return created;
    });
  }

  /** The stored fields of a key; not_found when there is none. */
  row(id: string): KeyWithAccountRow {
    const row = this.#store.keys.byId(id);
    if (row === undefined) throw new AppError('not_found', `There is no key "${id}".`, { param: 'id' });
    return row;
  }

  #toApiKey(row: KeyWithAccountRow): ApiKey {
    const budgets = budgetsOf(this.#store, row.balanceId, this.#calendar, this.#now());
    return {
      id: row.id,
      accountId: row.accountId,
      accountName: row.accountName,
      name: row.name,
      kind: row.kind,
      redacted: row.redacted,
      state: keyState(row, this.#now()),
      allowedModels: parseList(row.allowedModels),
      scopes: parseList(row.scopes),
      parallel: row.parallel,
      budgets,
      tokensLeft:
        budgets.find(({ measure, period }) => measure === 'tokens' && period === 'ever')?.left ?? null,
      createdAtMs: row.createdAtMs,
      lastUsedAtMs: row.lastUsedAtMs,
      expiresAtMs: row.expiresAtMs,
      revokedAtMs: row.revokedAtMs,
    };
  }
}
