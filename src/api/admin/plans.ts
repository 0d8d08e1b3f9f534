import type { Handler } from 'hono';
import type { AppEnv } from '../env.ts';
import type { AdminDeps } from './deps.ts';
import { toWireList, toWirePlan } from './convert.ts';
import { readQuery } from '../request/read-parameters.ts';
import { parseNoQuery } from './schema.ts';

/** GET /admin/v1/plans: those of the configuration; they are changed there. */
export function listPlans({ administration }: AdminDeps): Handler<AppEnv> {
  return (c) => {
    readQuery(c, parseNoQuery);
    const { plans } = administration.plans;
    return c.json(toWireList([...plans].map(([name, plan]) => toWirePlan(name, plan))));
  };
}
