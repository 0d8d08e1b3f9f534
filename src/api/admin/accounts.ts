import type { Handler } from 'hono';
import { AppError } from '../../errors/errors.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { toWireAccount, toWireList, toWirePlan, toWireRemovedAccount } from './convert.ts';
import { readBody, readQuery } from '../request/read-parameters.ts';
import { parseNewAccount, parseNoQuery, parsePlanChange } from './schema.ts';

/** POST /admin/v1/accounts: a new account, on the plan `trial` unless the request names one. */
export function createAccount({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => c.json(toWireAccount(administration.accounts.create(readBody(c, parseNewAccount))), 201);
}

/** GET /admin/v1/accounts: all accounts, sorted by name. */
export function listAccounts({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => {
    readQuery(c, parseNoQuery);
    return c.json(toWireList(administration.accounts.list().map(toWireAccount)));
  };
}

/** GET /admin/v1/accounts/{name or id}: one account. */
export function getAccount({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => c.json(toWireAccount(administration.accounts.get(c.req.param('account') ?? '')));
}

/** PATCH /admin/v1/accounts/{name or id}: sets the plan, which applies from the next request on. */
export function changeAccount({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => {
    const { plan } = readBody(c, parsePlanChange);
    return c.json(toWireAccount(administration.accounts.setPlan(c.req.param('account') ?? '', plan)));
  };
}

/** DELETE /admin/v1/accounts/{name or id}: removes the account. Its keys are invalid from the next request on. */
export function removeAccount({ administration }: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { id, name } = administration.accounts.get(c.req.param('account') ?? '');
    if (id === c.get('principal').accountId) {
      throw new AppError(
        'invalid_value',
        `The admin key of this request belongs to "${name}". Remove that account with the key of another one, or on the machine itself: hearth accounts rm.`,
        { param: 'account' },
      );
    }
    return c.json(toWireRemovedAccount(await administration.accounts.remove(id)));
  };
}

/** GET /admin/v1/plans: all plans. They can be changed in the configuration only. */
export function listPlans({ administration }: AppDeps): Handler<AppEnv> {
  return (c) => {
    readQuery(c, parseNoQuery);
    const { plans } = administration.plans;
    return c.json(toWireList([...plans].map(([name, plan]) => toWirePlan(name, plan))));
  };
}
