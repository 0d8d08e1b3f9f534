import { managedPlans } from '../../accounts/scopes.ts';
import { AppError } from '../../errors/errors.ts';
import type { AppContext, AppDeps } from '../env.ts';
import type { Middleware, Routes } from '../add-routes.ts';
import { checkPlan } from '../middleware/scopes.ts';
import { readBody, readQuery } from '../request/read-parameters.ts';
import { toWireAccount, toWireList, toWirePlan, toWireRemovedAccount } from './convert.ts';
import { newAccount, noQuery, accountChange } from './schema.ts';

/** The routes of accounts and plans; `json` reads a body. */
export function accountRoutes({ administration }: AppDeps, json: Middleware): Routes {
  const { accounts, plans } = administration;
  return {
    '/accounts': {
      GET: (c) => {
        readQuery(c, noQuery);
        return c.json(toWireList(accounts.list().map(toWireAccount)));
      },
      POST: [
        json,
        (c) => {
          const principal = c.get('principal');
          const { name, plan = managedPlans(principal)?.[0] } = readBody(c, newAccount);
          if (plan !== undefined) checkPlan(principal, plan);
          return c.json(toWireAccount(accounts.create({ name, plan })), 201);
        },
      ],
    },
    '/accounts/:account': {
      GET: (c) => c.json(toWireAccount(accounts.get(nameOrIdIn(c)))),
      PATCH: [json, (c) => c.json(toWireAccount(accounts.change(nameOrIdIn(c), readBody(c, accountChange))))],
      DELETE: async (c) => {
        const { id, name } = accounts.get(nameOrIdIn(c));
        if (id === c.get('principal').accountId)
          throw new AppError(
            'invalid_value',
            `The admin key of this request belongs to "${name}". Remove that account with the key of another one, or on the machine itself: hearth accounts rm.`,
            { param: 'account' },
          );
        return c.json(toWireRemovedAccount(await accounts.remove(id)));
      },
    },
    '/plans': {
      GET: (c) => {
        readQuery(c, noQuery);
        return c.json(toWireList([...plans.plans].map(([name, plan]) => toWirePlan(name, plan))));
      },
    },
  };
}

const nameOrIdIn = (c: AppContext) => c.req.param('account') ?? '';
