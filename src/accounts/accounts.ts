import type { AuthenticatorDeps } from './authenticator.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { trialPlanName, type PlanBook } from './plans.ts';
import { AppError, invalidValue } from '../errors/errors.ts';
import { nearestName } from '../words/nearest-names.ts';
import type { AccountRow } from '../store/tables/account-table.ts';
import type { Store } from '../store/store.ts';
import { noteAct } from './audit.ts';
import { toLimit, type Budget, type BudgetLimits, budgetsOf, setBudgets } from './budgets/budget.ts';
import { createId, webhookSecret } from './secrets.ts';
import { bootstrapAccountName, type Clock } from './types.ts';

export interface Account extends Omit<AccountRow, 'planSetAtMs'> {
  /** The plan that holds now: `reduced` after the trial. */
  readonly planInForce: string;
  /** null: not on trial. */
  readonly trialEndsAtMs: number | null;
  /** Over all its keys and models. */
  readonly budgets: readonly Budget[];
}

/** The fields of an account that a change sets; undefined: the field stays. */
export interface AccountChange {
  /** Not of the owner of the machine. */
  readonly name?: string | undefined;
  readonly plan?: string | undefined;
  /** null: no such budget. */
  readonly budgets?: BudgetLimits<number | null> | undefined;
  /** A public https address; null: none. */
  readonly webhook?: string | null | undefined;
}

export interface RemovedAccount {
  readonly id: string;
  readonly name: string;
  /** Keys that were not revoked before. */
  readonly revokedKeys: number;
  readonly deletedResponses: number;
}

export interface AccountsDeps extends AuthenticatorDeps {
  /** Deletes the rest of an account, which is stored elsewhere. */
  readonly onRemoved?: ((accountId: string) => Promise<void>) | undefined;
}

/** Few at a time: a response may have thousands of items, and a running server must not pause. */
const responseBatchRows = 50;

// Letters of any script with their marks, no control characters, and nothing that looks like the id of an account.
const nameChars = String.raw`\p{L}\p{M}\p{N} ._@+,'’&()-`;
const namePattern = new RegExp(String.raw`^(?!acct_[0-9a-f]{16}$)[\p{L}\p{N}][${nameChars}]{0,63}$`, 'u');
const otherChars = new RegExp(`[^${nameChars}]`, 'gu');

/** A wished name is cut to 56 of the 64 characters that a name may have, so that a number fits behind it. */
const mostWishedChars = 56;

/** A name as people tell it from others: neither LOCAL nor local with a blank behind is another account than local. */
const fold = (name: string) =>
  name.normalize('NFKC').replaceAll('’', "'").toUpperCase().toLowerCase().replaceAll(/ +/g, ' ').trim();

/** The entry of an account in the audit log. The path of an address may hold a secret. */
const noted = ({ name, plan, budgets, webhook }: Account) => ({
  name,
  plan,
  webhook: webhook === null ? null : new URL(webhook).host,
  budgets: budgets.filter(({ isOfPlan }) => !isOfPlan).map(toLimit),
});

/** The people and programs that keys belong to. Methods throw AppError with a public message. */
export class Accounts {
  readonly #store: Store;
  readonly #plans: PlanBook;
  readonly #now: Clock;
  readonly #onRemoved: AccountsDeps['onRemoved'];

  constructor({ store, plans, now, onRemoved }: AccountsDeps) {
    this.#store = store;
    this.#plans = plans;
    this.#now = now;
    this.#onRemoved = onRemoved;
  }

  /** The new account; on trial unless `plan` says otherwise. */
  create(options: AccountChange & { readonly name: string }): Account {
    const { name, plan = trialPlanName, budgets = {}, webhook = null } = options;
    this.#checkName(name);
    this.checkPlan(plan);
    const nowMs = this.#now();
    const row = { id: createId('acct'), name, plan, planSetAtMs: nowMs, createdAtMs: nowMs, webhook };
    return this.#store.together(() => {
      if (!this.#store.accounts.insert(row))
        throw invalidValue('name', `There is an account "${name}" already.`);
      setBudgets(this.#store, row.id, budgets);
      const account = this.#toAccount(row);
      noteAct(this.#store, nowMs, 'account.create', row.id, null, noted(account));
      return account;
    });
  }

  /** A name that no account has, made of the first of `wished` that has letters or digits. */
  freeName(wished: readonly string[]): string {
    const names = wished.map((wish) => {
      const plain = wish.normalize('NFC').replaceAll(otherChars, '');
      return Array.from(plain.replace(/^[^\p{L}\p{N}]+/u, ''))
        .slice(0, mostWishedChars)
        .join('')
        .trim();
    });
    const name = names.find((one) => namePattern.test(one)) ?? 'person';
    const taken = new Set(this.#store.accounts.list().map((row) => fold(row.name)));
    let free = name;
    for (let count = 2; taken.has(fold(free)); count += 1) free = `${name} ${count}`;
    return free;
  }

  list(): Account[] {
    return this.#store.accounts.list().map((row) => this.#toAccount(row));
  }

  /** By name or id; not_found when there is none. */
  get(nameOrId: string): Account {
    return this.#toAccount(this.#find(nameOrId));
  }

  /** The account as changed; balances and use stay as they are. */
  change(nameOrId: string, { name, plan, budgets = {}, webhook }: AccountChange): Account {
    if (plan !== undefined) this.checkPlan(plan);
    const before = this.get(nameOrId);
    const { id } = before;
    if (name !== undefined && name !== before.name) this.#checkName(name, before);
    return this.#store.together(() => {
      if (name !== undefined) this.#store.accounts.setName(id, name);
      if (plan !== undefined) this.#store.accounts.setPlan(id, plan, this.#now());
      if (webhook !== undefined) this.#store.accounts.setWebhook(id, webhook);
      setBudgets(this.#store, id, budgets);
      const account = this.get(id);
      noteAct(this.#store, this.#now(), 'account.change', id, noted(before), noted(account));
      return account;
    });
  }

  /** The secret that signs an account's notices, so that it knows them as hearth's; undefined: it has no address. */
  webhookSecret({ id, webhook }: Account): string | undefined {
    return webhook === null ? undefined : webhookSecret(this.#store.readSigningKey(), id, webhook);
  }

  /** The id of an account by its name or id; by id also of a removed account, because its usage is kept. */
  idInHistory(nameOrId: string): string {
    return this.#store.accounts.byIdEvenRemoved(nameOrId)?.id ?? this.#find(nameOrId).id;
  }

  /** Removes an account with its keys, stored responses and caches; its name is free again, its usage stays. */
  async remove(nameOrId: string): Promise<RemovedAccount> {
    const { accounts, keys, responses } = this.#store;
    const nowMs = this.#now();
    const removed = this.#store.immediate(() => {
      const account = this.get(nameOrId);
      const { id, name } = account;
      accounts.remove(id, nowMs);
      const revokedKeys = keys.revokeAllOf(id, nowMs);
      noteAct(this.#store, nowMs, 'account.remove', id, noted(account), null);
      return { id, name, revokedKeys };
    });
    let deletedResponses = 0;
    let deletedRows: number;
    do {
      deletedRows = responses.deleteAllOf(removed.id, responseBatchRows);
      deletedResponses += deletedRows;
      await nextTurn();
    } while (deletedRows === responseBatchRows);
    await this.#onRemoved?.(removed.id);
    return { ...removed, deletedResponses };
  }

  #find(nameOrId: string): AccountRow {
    const { accounts } = this.#store;
    const row = accounts.byId(nameOrId) ?? accounts.byName(nameOrId);
    if (row !== undefined) return row;
    const near = nearestName(
      nameOrId,
      accounts.list().map(({ name }) => name),
    );
    const suggestion = near === undefined ? '' : ` Did you mean "${near}"?`;
    throw new AppError('not_found', `There is no account "${nameOrId}".${suggestion}`, { param: 'account' });
  }

  /** Throws invalid_value where `name` is none, is that of another account, or `renamed` keeps its own. */
  #checkName(name: string, renamed?: Account): void {
    if (!namePattern.test(name))
      throw invalidValue(
        'name',
        "An account name has 1 to 64 letters, digits, spaces or . _ @ + , ' & ( ) - and starts with a letter or digit; it must not look like an id.",
      );
    const twin = this.#store.accounts
      .list()
      .find((row) => row.id !== renamed?.id && fold(row.name) === fold(name));
    if (twin !== undefined) throw invalidValue('name', `There is an account "${twin.name}" already.`);
    if (renamed?.name === bootstrapAccountName)
      throw invalidValue(
        'name',
        `hearth finds the account of the machine's owner by its name, "${renamed.name}".`,
      );
  }

  /** Throws invalid_value where there is no such plan. */
  checkPlan(plan: string): void {
    if (this.#plans.plans.has(plan)) return;
    const known = [...this.#plans.plans.keys()].join(', ');
    throw invalidValue('plan', `There is no plan "${plan}". Known: ${known}.`);
  }

  #toAccount(row: AccountRow): Account {
    const planInForce = this.#plans.inForce(row, this.#now()).name;
    const planned = this.#plans.accountBudgets(planInForce);
    return {
      id: row.id,
      name: row.name,
      plan: row.plan,
      planInForce,
      createdAtMs: row.createdAtMs,
      trialEndsAtMs: this.#plans.trialEndsAtMs(row),
      webhook: row.webhook,
      budgets: budgetsOf(this.#store, row.id, this.#plans.calendar, this.#now(), planned),
    };
  }
}
