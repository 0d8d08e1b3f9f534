import type { BudgetLimits } from '../../accounts/budgets/budget.ts';
import type { Account } from '../../accounts/accounts.ts';
import type { ApiKey } from '../../accounts/keys.ts';
import { managedPlans, type Principal } from '../../accounts/types.ts';
import { toCanonicalIds } from '../../catalog/canonical-ids.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { limitsOf } from '../limits/route.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { checkPlan } from '../middleware/scopes.ts';
import { optionalJsonBody } from '../middleware/body/json-body.ts';
import { idIn, readBody, readQuery } from '../request/read-parameters.ts';
import { invalid, unsupported } from '../request/validate.ts';
import { toWireCreatedKey, toWireKey, toWireList } from './convert.ts';
import { keyChange, keysQuery, newKey, rotation } from './schema.ts';

interface GivenLimits {
  readonly expires_in?: number | null | undefined;
  readonly expires?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly budgets?: BudgetLimits<number | null> | undefined;
}

/** The routes of API keys; `json` reads a body. Only the answer to the request that makes a key has its secret. */
export function keyRoutes(deps: AppDeps, json: Middleware): Routes {
  const { administration, catalog, clock } = deps;
  const { accounts, keys } = administration;
  const create = (c: AppContext): Response => {
    const { account, name, kind, models, scopes, parallel, ...rest } = readBody(c, newKey);
    if (kind === 'admin')
      throw unsupported(
        ['kind'],
        'Make admin keys on the machine itself: hearth keys create --account local --admin.',
      );
    const created = keys.create({
      accountId: holderFor(c.get('principal'), accounts, account).id,
      scopes,
      parallel,
      name,
      allowedModels: models === undefined ? null : toCanonicalIds(catalog, models),
      ...toLimits(rest, clock.nowMs()),
    });
    return c.json(toWireCreatedKey(created), 201);
  };
  const change = (c: AppContext): Response => {
    const { name, models, scopes, parallel, ...rest } = readBody(c, keyChange);
    mustBeOrdinary(keys.get(idIn(c)), 'set');
    const allowedModels = models && toCanonicalIds(catalog, models);
    const changes = { name, allowedModels, scopes, parallel, ...toLimits(rest, clock.nowMs()) };
    return c.json(toWireKey(keys.change(idIn(c), changes)));
  };
  /** The old key stays valid for `overlap`. */
  const rotate = (c: AppContext): Response => {
    const { overlap: overlapMs } = readBody(c, rotation);
    mustBeOrdinary(keys.get(idIn(c)), 'rotate');
    return c.json(toWireCreatedKey(keys.rotate(idIn(c), overlapMs)), 201);
  };
  return {
    '/keys': {
      GET: (c) => {
        const { account } = readQuery(c, keysQuery);
        const accountId = account === undefined ? undefined : accounts.get(account).id;
        return c.json(toWireList(keys.list(accountId).map(toWireKey)));
      },
      POST: [json, create],
    },
    '/keys/:id': {
      GET: (c) => c.json(toWireKey(keys.get(idIn(c) === 'self' ? c.get('principal').keyId : idIn(c)))),
      PATCH: [json, change],
      // A revoked key stays in the list, because the ledger names it.
      DELETE: (c) => c.json(toWireKey(keys.revoke(idIn(c)))),
    },
    '/keys/:id/limits': { GET: (c) => c.json(limitsOf(deps, administration.principalOf(idIn(c)))) },
    '/keys/:id/rotate': { POST: [optionalJsonBody(json), rotate] },
  };
}

/** Otherwise whoever stole an admin key that expires could extend it for ever. */
function mustBeOrdinary({ id, kind }: ApiKey, command: string): void {
  if (kind === 'user') return;
  throw new AppError(
    'insufficient_permissions',
    `Admin keys are made on the machine of the server itself: hearth keys ${command} ${id}.`,
  );
}

/** The account that a key is made for. Throws not_found, or insufficient_permissions where the maker manages other plans. */
function holderFor(maker: Principal, accounts: AppDeps['administration']['accounts'], name: string): Account {
  if (managedPlans(maker) === undefined) return accounts.get(name);
  const account = accounts.list().find((one) => one.name === name || one.id === name);
  // It tells nothing of accounts on other plans, not even their names.
  checkPlan(maker, account?.plan ?? '');
  return account ?? accounts.get(name);
}

/** When a key expires, and its budgets. */
function toLimits({ expires_in, expires, limit, budgets }: GivenLimits, nowMs: number) {
  if (expires_in !== undefined && expires !== undefined)
    throw invalid(['expires'], "is another name of 'expires_in': send one of the two");
  if (limit !== undefined && budgets?.tokens?.ever !== undefined)
    throw invalid(['limit'], "is another name of 'budgets.tokens.ever': send one of the two");
  const lifetimeMs = expires_in === undefined ? expires : expires_in;
  return {
    expiresAtMs: lifetimeMs && nowMs + lifetimeMs,
    budgets: limit === undefined ? budgets : { ...budgets, tokens: { ...budgets?.tokens, ever: limit } },
  };
}
