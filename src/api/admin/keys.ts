import type { Handler } from 'hono';
import type { Catalog } from '../../catalog/types.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { unsupported } from '../request/validate.ts';
import { toWireCreatedKey, toWireKey, toWireList } from './convert.ts';
import { readBody, readQuery } from '../request/read-parameters.ts';
import { parseKeysQuery, parseNewKey, parseRotation } from './schema.ts';

/** POST /admin/v1/keys: a new user key. Only this answer ever contains its secret. */
export function createKey({ administration, catalog, clock }: AppDeps): Handler<AppEnv> {
  return (c) => {
    const { account, name, kind, expires_in: lifetimeMs, models } = readBody(c, parseNewKey);
    if (kind === 'admin') {
      throw unsupported(['kind'], 'Make admin keys on the machine itself: hearth keys create --admin.');
    }
    const { id: accountId } = administration.accounts.get(account);
    const created = administration.keys.create({
      accountId,
      name,
      expiresAtMs: lifetimeMs === undefined ? null : clock.nowMs() + lifetimeMs,
      allowedModels: models === undefined ? null : toCanonicalIds(catalog, models),
    });
    return c.json(toWireCreatedKey(created), 201);
  };
}

/** GET /admin/v1/keys: all keys, or those of one account with `?account=`, sorted by account and age, oldest first. */
export function listKeys({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => {
    const { account } = readQuery(c, parseKeysQuery);
    const accountId = account === undefined ? undefined : administration.accounts.get(account).id;
    return c.json(toWireList(administration.keys.list(accountId).map(toWireKey)));
  };
}

/** GET /admin/v1/keys/{id}: one key, without its secret. */
export function getKey({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => c.json(toWireKey(administration.keys.get(c.req.param('id') ?? '')));
}

/**
 * DELETE /admin/v1/keys/{id}: revokes the key from the next request on. It stays in the list, because the ledger names
 * it.
 */
export function revokeKey({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => c.json(toWireKey(administration.keys.revoke(c.req.param('id') ?? '')));
}

/** POST /admin/v1/keys/{id}/rotate: a new key that replaces an old one. The old one stays valid for `overlap`. */
export function rotateKey({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => {
    const id = c.req.param('id') ?? '';
    const { overlap: overlapMs } = readBody(c, parseRotation);
    // Otherwise whoever stole an admin key that expires could extend it for ever.
    if (administration.keys.get(id).kind === 'admin') {
      throw new AppError(
        'insufficient_permissions',
        `Admin keys are made on the machine of the server itself: hearth keys rotate ${id}.`,
      );
    }
    return c.json(toWireCreatedKey(administration.keys.rotate(id, overlapMs)), 201);
  };
}

/**
 * The canonical ids of models given by id or alias. Throws invalid_value for an unknown name, which must be a mistake.
 */
function toCanonicalIds(catalog: Catalog, names: readonly string[]): string[] {
  const ids = names.map((name, index) => {
    const model = catalog.find(name);
    if (model !== undefined) return model.id;
    const nearest = catalog.nearest(name).map((id) => `'${id}'`);
    const hint = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
    throw new AppError('invalid_value', `There is no model '${name}'.${hint}`, { param: `models[${index}]` });
  });
  return [...new Set(ids)];
}
