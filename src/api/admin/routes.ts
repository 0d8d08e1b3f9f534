import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppDeps, AppEnv, AppContext } from '../env.ts';
import { addRoutes, type Middleware, type Routes } from '../add-routes.ts';
import { authenticate, requireKind } from '../middleware/authenticate.ts';
import { draining, whenWritable } from '../middleware/draining.ts';
import { refuseUnreadQuery } from '../middleware/unread-query.ts';
import { createBodyMemory, jsonBody } from '../middleware/body/json-body.ts';
import { adminVoiceRoutes } from '../voices/routes.ts';
import { auditActs, auditRoutes } from './audit.ts';
import { adminBatchRoutes } from '../batches/admin-routes.ts';
import { requestRoutes, watchEvents } from './events.ts';
import { invitationRoutes } from './invitations.ts';
import { keyRoutes } from './keys.ts';
import { modelRoutes } from './models/routes.ts';
import { getUsage } from './usage.ts';
import { readQuery, readBody } from '../request/read-parameters.ts';
import { toWireList, toWireAccount, toWireNotice, toWirePlan, toWireRemovedAccount } from './convert.ts';
import { newAccount, newPlan, noticesQuery, accountChange } from './schema.ts';
import type { Account, AccountChange } from '../../accounts/accounts.ts';
import { toPlan } from '../../accounts/plans.ts';
import { toCanonicalId } from '../../catalog/canonical-ids.ts';
import { managedPlans } from '../../accounts/types.ts';
import { invalidValue } from '../../errors/errors.ts';
import { checkBudgets, checkPlan } from '../middleware/scopes.ts';

const noticeRoutes = ({ administration, clock }: AppDeps): Routes => ({
  '/notices': {
    GET: (c) => {
      const { since, limit } = readQuery(c, noticesQuery);
      const fromMs = since?.(clock.nowMs());
      return c.json(toWireList(administration.notices.list({ fromMs, limit }).map(toWireNotice)));
    },
  },
});

/** Far above the largest body that an admin route accepts. */
const maxBodyBytes = 64 * 1024;

/** Caches must not keep answers with secrets or the names of their owners. */
const neverCached = createMiddleware<AppEnv>(async (c, next) => {
  c.header('cache-control', 'no-store');
  await next();
});

/** All routes under /admin/v1. Every path there, known or not, needs an admin key. */
export function adminRoutes(deps: AppDeps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const limitBytes = Math.min(maxBodyBytes, deps.settings.jsonBodyLimitBytes);
  const json = jsonBody(limitBytes, createBodyMemory(limitBytes));
  app.use(
    neverCached,
    authenticate(deps.authenticator),
    requireKind('admin'),
    refuseUnreadQuery,
    draining(deps.health),
    whenWritable(deps.health),
    auditActs(deps),
  );

  addRoutes(app, {
    ...accountRoutes(deps, json),
    ...planRoutes(deps, json),
    ...keyRoutes(deps, json),
    ...invitationRoutes(deps, json),
    ...auditRoutes(deps),
    ...noticeRoutes(deps),
    ...adminBatchRoutes(deps),
    ...requestRoutes(deps),
    ...modelRoutes(deps, json),
    ...adminVoiceRoutes(deps),
    '/events': { GET: (c) => watchEvents(c, deps) },
    '/usage': { GET: (c) => getUsage(c, deps) },
  });
  return app;
}

/** The routes of accounts; `json` reads a body. */
function accountRoutes({ administration }: AppDeps, json: Middleware): Routes {
  const { accounts, plans } = administration;
  const toSet = (account: Account, { webhook }: AccountChange) => ({
    ...toWireAccount(account),
    webhook_secret: webhook === undefined ? undefined : accounts.webhookSecret(account),
  });
  return {
    '/accounts': {
      GET: (c) => c.json(toWireList(accounts.list().map(toWireAccount))),
      POST: [
        json,
        (c) => {
          const principal = c.get('principal');
          const { plan = managedPlans(principal)?.[0], ...rest } = readBody(c, newAccount);
          if (plan !== undefined) {
            checkPlan(principal, plan);
            checkBudgets(principal, plans.plans.get(plan)?.accountBudgets, rest.budgets);
          }
          return c.json(toSet(accounts.create({ ...rest, plan }), rest), 201);
        },
      ],
    },
    '/accounts/:account': {
      GET: (c) => c.json(toWireAccount(accounts.get(nameOrIdIn(c)))),
      PATCH: [
        json,
        (c) => {
          const change = readBody(c, accountChange);
          return c.json(toSet(accounts.change(nameOrIdIn(c), change), change));
        },
      ],
      DELETE: async (c) => {
        const { id, name } = accounts.get(nameOrIdIn(c));
        if (id === c.get('principal').accountId)
          throw invalidValue(
            'account',
            `The admin key of this request belongs to "${name}". Remove that account with the key of another one, or on the machine itself: hearth accounts rm.`,
          );
        return c.json(toWireRemovedAccount(await accounts.remove(id)));
      },
    },
  };
}

/** The routes of plans; `json` reads a body. */
function planRoutes({ administration, catalog }: AppDeps, json: Middleware): Routes {
  const { plans, madePlans } = administration;
  const list = () =>
    toWireList([...plans.plans].map(([name, plan]) => toWirePlan(name, plan, plans.sourceOf(name))));
  return {
    '/plans': {
      GET: (c) => c.json(list()),
      POST: [
        json,
        (c) => {
          const { name, ...written } = readBody(c, newPlan);
          madePlans.set(
            name,
            toPlan(written, (id) => toCanonicalId(catalog, id, `models.${id}`)),
          );
          return c.json(list().data.find((one) => one.name === name));
        },
      ],
    },
    '/plans/:name': {
      DELETE: (c) => {
        madePlans.remove(c.req.param('name') ?? '');
        return c.json(list());
      },
    },
  };
}

const nameOrIdIn = (c: AppContext) => c.req.param('account') ?? '';
