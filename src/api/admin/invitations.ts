import type { Invitation } from '../../accounts/sign-in/invitations.ts';
import { managedPlans } from '../../accounts/types.ts';
import { toCanonicalIds } from '../../catalog/canonical-ids.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import type { AppDeps } from '../env.ts';
import { checkPlan } from '../middleware/scopes.ts';
import { idIn, readBody, readQuery } from '../request/read-parameters.ts';
import { toSeconds, toSecondsOrNull, toWireBudgets, toWireList } from './convert.ts';
import { closing, newInvitation } from './schema.ts';

/** The routes of invitations; `json` reads a body. Only the answer to the request that makes a code has it. */
export function invitationRoutes(
  { administration: { invitations }, catalog }: AppDeps,
  json: Middleware,
): Routes {
  return {
    '/invitations': {
      GET: (c) => c.json(toWireList(invitations.list().map(toWireInvitation))),
      POST: [
        json,
        (c) => {
          const {
            models,
            expires_in: openMs,
            key_expires_in: lifetimeMs,
            ...rest
          } = readBody(c, newInvitation);
          const plan = rest.plan ?? managedPlans(c.get('principal'))?.[0];
          if (plan !== undefined) checkPlan(c.get('principal'), plan);
          const allowedModels = models && toCanonicalIds(catalog, models);
          const { invitation, code } = invitations.create({
            ...rest,
            plan,
            openMs,
            lifetimeMs,
            allowedModels,
          });
          return c.json(withCode(invitation, code), 201);
        },
      ],
    },
    '/invitations/:id/code': {
      POST: (c) => {
        const { invitation, code } = invitations.renewCode(idIn(c));
        return c.json(withCode(invitation, code), 201);
      },
    },
    '/invitations/:id': {
      GET: (c) => c.json(toWireInvitation(invitations.get(idIn(c)))),
      DELETE: (c) => {
        const closed = invitations.close(idIn(c), readQuery(c, closing).revoke_keys === 'true');
        return c.json({ ...toWireInvitation(closed), revoked_keys: closed.revokedKeys });
      },
    },
  };
}

const withCode = (invitation: Invitation, code: string) => ({
  ...toWireInvitation(invitation),
  code,
  path: `/#invite=${code}`,
});

function toWireInvitation(invitation: Invitation) {
  const { allowedModels = null, scopes = null, parallel = null, budgets, lifetimeMs } = invitation;
  return {
    id: invitation.id,
    object: 'invitation',
    name: invitation.name,
    state: invitation.state,
    plan: invitation.plan,
    seats: invitation.seats,
    models: allowedModels,
    scopes,
    parallel,
    budgets: toWireBudgets(budgets),
    key_expires_after_seconds: lifetimeMs === undefined ? null : lifetimeMs / 1000,
    created_at: toSeconds(invitation.createdAtMs),
    expires_at: toSeconds(invitation.expiresAtMs),
    closed_at: toSecondsOrNull(invitation.closedAtMs),
    claims: invitation.claims.map(({ accountId, accountName, keyId, claimedAtMs }) => ({
      account_id: accountId,
      account_name: accountName,
      key_id: keyId,
      claimed_at: toSeconds(claimedAtMs),
    })),
  };
}
