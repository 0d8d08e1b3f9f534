import { randomBytes } from 'node:crypto';
import { AppError, invalidValue } from '../../errors/errors.ts';
import type { ClaimRow, InvitationRow } from '../../store/tables/invitation-table.ts';
import type { Store } from '../../store/store.ts';
import type { Accounts } from '../accounts.ts';
import type { Keys, NewKey } from '../keys.ts';
import { actingFor, noteAct } from '../audit.ts';
import { trialPlanName } from '../plans.ts';
import { createId, hashSecret } from '../secrets.ts';
import type { Clock } from '../types.ts';
import { mostSeats } from '../../bounds.ts';

/** The rights and the lifetime of the key that a claim makes. */
interface ClaimedKey extends Pick<NewKey, 'allowedModels' | 'scopes' | 'parallel' | 'budgets'> {
  /** From the claim on; undefined: it never expires. */
  readonly lifetimeMs?: number | undefined;
}

export interface NewInvitation extends ClaimedKey {
  /** Its purpose, such as `class 7b`; the keys have it as their name. */
  readonly name?: string | undefined;
  /** Default: `trial`. */
  readonly plan?: string | undefined;
  /** How many people may claim it; default: 1. */
  readonly seats?: number | undefined;
  /** From now on; default: a week. */
  readonly openMs?: number | undefined;
}

export interface Invitation extends Omit<InvitationRow, 'keyOptions'>, ClaimedKey {
  readonly state: 'open' | 'full' | 'expired' | 'closed';
  readonly claims: readonly ClaimRow[];
}

/** An invitation as the browser that opens its link gets it. */
export interface SeenInvitation extends Pick<InvitationRow, 'name' | 'plan' | 'expiresAtMs'> {
  /** The account that this browser made by it; undefined: none yet. */
  readonly claimedBy: string | undefined;
  /** The budgets of the key that a claim makes. */
  readonly budgets: ClaimedKey['budgets'];
  /** The secret of the key that it has now; undefined: it made none now. */
  readonly secret: string | undefined;
}

export interface InvitationsDeps {
  readonly store: Store;
  readonly accounts: Pick<Accounts, 'create' | 'checkPlan'>;
  readonly keys: Pick<Keys, 'create' | 'check'>;
  readonly now: Clock;
}

const defaultOpenMs = 7 * 86_400_000;

const createCode = () => randomBytes(24).toString('base64url');

/** Links by which people make their account and key themselves. Methods throw AppError with a public message. */
export class Invitations {
  readonly #deps: InvitationsDeps;

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /** The invitation, and its code, which is known only at this moment. */
  create(options: NewInvitation): { readonly invitation: Invitation; readonly code: string } {
    const { store, accounts, keys, now } = this.#deps;
    const { name = '', plan = trialPlanName, seats = 1, openMs = defaultOpenMs, ...keyOptions } = options;
    accounts.checkPlan(plan);
    keys.check({ name, ...keyOptions }, 'user');
    if (!Number.isInteger(seats) || seats < 1 || seats > mostSeats)
      throw invalidValue('seats', `An invitation has 1 to ${mostSeats} seats.`);
    const code = createCode();
    const nowMs = now();
    const row = { id: createId('inv'), name, plan, keyOptions: JSON.stringify(keyOptions), seats };
    const times = { createdAtMs: nowMs, expiresAtMs: nowMs + openMs, closedAtMs: null };
    return store.immediate(() => {
      store.invitations.insert({ ...row, ...times }, hashSecret(code));
      const invitation = this.get(row.id);
      noteAct(store, nowMs, 'invitation.create', row.id, null, invitation);
      return { invitation, code };
    });
  }

  /** The newest first. */
  list(): Invitation[] {
    return this.#deps.store.invitations.list().map((row) => this.#toInvitation(row));
  }

  /** By id; not_found when there is none. */
  get(id: string): Invitation {
    const row = this.#deps.store.invitations.byId(id);
    if (row === undefined)
      throw new AppError('not_found', `There is no invitation "${id}".`, { param: 'id' });
    return this.#toInvitation(row);
  }

  /** The invitation with a code in place of the one that it had, which is one of none from now on. */
  renewCode(id: string): { readonly invitation: Invitation; readonly code: string } {
    const { store, now } = this.#deps;
    return store.immediate(() => {
      const invitation = this.get(id);
      if (invitation.state !== 'open')
        throw invalidValue('id', `The invitation ${id} is ${invitation.state}; create a new one.`);
      const code = createCode();
      store.invitations.setHash(id, hashSecret(code));
      noteAct(store, now(), 'invitation.renew', id, null, null);
      return { invitation, code };
    });
  }

  /** The invitation, which nobody can claim any more; with `revokesKeys` the keys that claims made open nothing. */
  close(id: string, revokesKeys = false): Invitation & { readonly revokedKeys: number } {
    const { store, now } = this.#deps;
    const before = this.get(id);
    return store.immediate(() => {
      store.invitations.close(id, now());
      const revokedKeys = revokesKeys ? store.invitations.revokeKeys(id, now()) : 0;
      const after = { ...this.get(id), revokedKeys };
      noteAct(store, now(), 'invitation.close', id, before, after);
      return after;
    });
  }

  /**
   * The invitation with this code, as the browser that calls itself `browser` sees it; with `name` it takes a seat: it
   * has an account of that name, and a key. undefined: there is no such code. Throws invalid_invitation where no seat
   * can be taken.
   */
  claim(code: string, browser: string, name?: string): SeenInvitation | undefined {
    const { store } = this.#deps;
    return store.immediate(() => {
      const row = store.invitations.byHash(hashSecret(code));
      if (row === undefined) return undefined;
      const claimed = store.invitations.claimBy(row.id, hashSecret(browser));
      const { name: purpose, plan, expiresAtMs } = row;
      const { budgets, state } = this.#toInvitation(row);
      const claimedBy = claimed?.accountName;
      const seen = { name: purpose, plan, expiresAtMs, budgets, claimedBy, secret: undefined };
      if (claimed !== undefined && name === undefined) return seen;
      if (claimed !== undefined)
        throw refusal(`This browser has claimed this invitation already, as "${claimed.accountName}".`);
      if (state !== 'open') throw refusal(refusals[state]);
      return name === undefined
        ? seen
        : { ...seen, ...actingFor(row.id, () => this.#take(row, hashSecret(browser), name)) };
    });
  }

  #take(row: InvitationRow, browser: Buffer, name: string): Pick<SeenInvitation, 'claimedBy' | 'secret'> {
    const { store, accounts, keys, now } = this.#deps;
    const { lifetimeMs, ...options } = JSON.parse(row.keyOptions) as ClaimedKey;
    const account = accounts.create({ name, plan: row.plan });
    const expiresAtMs = lifetimeMs === undefined ? null : now() + lifetimeMs;
    const { key, secret } = keys.create({ ...options, accountId: account.id, name: row.name, expiresAtMs });
    store.invitations.addClaim(row.id, browser, { accountId: account.id, keyId: key.id, claimedAtMs: now() });
    return { claimedBy: account.name, secret };
  }

  #toInvitation({ keyOptions, ...row }: InvitationRow): Invitation {
    const claims = this.#deps.store.invitations.claims(row.id);
    const state =
      row.closedAtMs !== null
        ? 'closed'
        : claims.length >= row.seats
          ? 'full'
          : this.#deps.now() >= row.expiresAtMs
            ? 'expired'
            : 'open';
    return { ...row, ...(JSON.parse(keyOptions) as ClaimedKey), state, claims };
  }
}

const refusals = {
  closed: 'This invitation was closed. Ask whoever sent it for another one.',
  full: 'All seats of this invitation are taken. Ask whoever sent it for another one.',
  expired: 'This invitation is over. Ask whoever sent it for another one.',
} as const;

const refusal = (message: string) => new AppError('invalid_invitation', message);
