import { LRUCache } from 'lru-cache';
import type { Handler } from 'hono';
import { actingAs } from '../../accounts/audit.ts';
import { AppError } from '../../errors/errors.ts';
import { toSeconds, toWireBudgets, toWirePlan } from '../admin/convert.ts';
import { nodeBindings, type AppDeps, type AppEnv } from '../env.ts';
import { readBody } from '../request/read-parameters.ts';
import { claimRequest } from './operation.ts';

/** Wrong codes that an address may send in a minute. Right ones do not count: a class has one address. */
const mostWrong = 20;
const minuteMs = 60_000;
/** Addresses that are remembered. */
const mostAddresses = 10_000;

/** POST /page/claim: an account and a key for the code of an invitation. */
export function claimInvitation({ administration, clock }: AppDeps): Handler<AppEnv> {
  const wrong = new LRUCache<string, { count: number; readonly untilMs: number }>({ max: mostAddresses });
  return (c) => {
    c.header('cache-control', 'no-store');
    const { code, browser, name } = readBody(c, claimRequest);
    const address = nodeBindings(c).incoming?.socket.remoteAddress ?? '';
    const nowMs = clock.nowMs();
    const known = wrong.get(address);
    const isOver = known === undefined || nowMs >= known.untilMs || nowMs < known.untilMs - minuteMs;
    const guesses = isOver ? { count: 0, untilMs: nowMs + minuteMs } : known;
    if (guesses.count >= mostWrong)
      throw new AppError(
        'rate_limit_exceeded',
        'Too many wrong codes came from this address. Wait a minute.',
        {
          retryAfterSeconds: (guesses.untilMs - nowMs) / 1000,
        },
      );
    const seen = actingAs({ actor: 'invitation', origin: address }, () =>
      administration.invitations.claim(code, browser, name?.trim()),
    );
    if (seen !== undefined) {
      const { plans } = administration;
      const plan = plans.plans.get(seen.plan);
      return c.json({
        object: 'claim',
        invitation: seen.name,
        claimed_by: seen.claimedBy ?? null,
        value: seen.secret ?? null,
        open_until: toSeconds(seen.expiresAtMs),
        budgets: toWireBudgets(seen.budgets),
        plan: plan === undefined ? null : toWirePlan(seen.plan, plan, plans.sourceOf(seen.plan)),
      });
    }
    guesses.count += 1;
    wrong.set(address, guesses);
    throw new AppError(
      'invalid_invitation',
      'There is no such invitation. Copy the whole link, or ask for another one.',
    );
  };
}
