import { toCanonicalIds } from '../../catalog/canonical-ids.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { limitsOf } from '../limits/route.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { optionalJsonBody } from '../middleware/body/json-body.ts';
import { readBody, readQuery } from '../request/read-parameters.ts';
import { invalid, unsupported } from '../request/validate.ts';
import { toWireCreatedKey, toWireKey, toWireList } from './convert.ts';
import { parseKeysQuery, parseNewKey, parseRotation } from './schema.ts';

/** The routes of API keys; `json` reads a body. Only the answer to the request that makes a key has its secret. */
export function keyRoutes(deps: AppDeps, json: Middleware): Routes {
  const { administration, catalog, clock } = deps;
  const { accounts, keys } = administration;
  const create = (c: AppContext): Response => {
    const { account, name, kind, expires_in, expires, limit, models } = readBody(c, parseNewKey);
    if (expires_in !== undefined && expires !== undefined)
      throw invalid(['expires'], "is another name of 'expires_in': send one of the two");
    const lifetimeMs = expires_in ?? expires;
    if (kind === 'admin')
      throw unsupported(
        ['kind'],
        'Make admin keys on the machine itself: hearth keys create --account local --admin.',
      );
    const created = keys.create({
      accountId: accounts.get(account).id,
      name,
      expiresAtMs: lifetimeMs === undefined ? null : clock.nowMs() + lifetimeMs,
      allowedModels: models === undefined ? null : toCanonicalIds(catalog, models),
      tokenBudget: limit,
    });
    return c.json(toWireCreatedKey(created), 201);
  };
  /** The old key stays valid for `overlap`. */
  const rotate = (c: AppContext): Response => {
    const { overlap: overlapMs } = readBody(c, parseRotation);
    // Otherwise whoever stole an admin key that expires could extend it for ever.
    if (keys.get(idIn(c)).kind === 'admin')
      throw new AppError(
        'insufficient_permissions',
        `Admin keys are made on the machine of the server itself: hearth keys rotate ${idIn(c)}.`,
      );
    return c.json(toWireCreatedKey(keys.rotate(idIn(c), overlapMs)), 201);
  };
  return {
    '/keys': {
      GET: (c) => {
        const { account } = readQuery(c, parseKeysQuery);
        const accountId = account === undefined ? undefined : accounts.get(account).id;
        return c.json(toWireList(keys.list(accountId).map(toWireKey)));
      },
      POST: [json, create],
    },
    '/keys/:id': {
      GET: (c) => c.json(toWireKey(keys.get(idIn(c)))),
      // A revoked key stays in the list, because the ledger names it.
      DELETE: (c) => c.json(toWireKey(keys.revoke(idIn(c)))),
    },
    '/keys/:id/limits': { GET: (c) => c.json(limitsOf(deps, administration.principalOf(idIn(c)))) },
    '/keys/:id/rotate': { POST: [optionalJsonBody(json), rotate] },
  };
}

const idIn = (c: AppContext) => c.req.param('id') ?? '';
