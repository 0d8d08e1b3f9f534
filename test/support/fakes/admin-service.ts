import { toPrincipal } from '../../../src/accounts/authenticator.ts';
import { MadePlans } from '../../../src/accounts/made-plans.ts';
import { auditOf } from '../../../src/accounts/audit.ts';
import { Invitations } from '../../../src/accounts/sign-in/invitations.ts';
import { IdentityProvider, type ProviderSettings } from '../../../src/accounts/sign-in/identity-provider.ts';
import { admitPerson } from '../../../src/accounts/sign-in/provider-accounts.ts';
import { clientSecret } from '../sign-in/identity-provider.ts';
import { SignInCodes } from '../../../src/accounts/sign-in/sign-in-codes.ts';
import { loadCuratedModels } from '../../../src/catalog/pulls/curated-models.ts';
import { suggestModels } from '../../../src/catalog/pulls/suggestions.ts';
import { curatedModelsFile } from '../../../src/config/paths.ts';
import type { OnSpent } from '../../../src/limits/budget-book.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { noteBudget } from '../../../src/notices/budget-notice.ts';
import { Notices } from '../../../src/notices/notices.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { queryUsageInSlices } from '../../../src/limits/reports/usage.ts';
import { openServices } from '../../unit/accounts/services.ts';
import { noAdministration } from './fake-services.ts';
import { listen } from './http-service.ts';
import { openModelMemory } from '../models/model-memory.ts';

const silentLog = createLog({ level: 'silent' });
const machine = { memoryBytes: 16e9, cores: 8, memoryBytesPerSecond: 40e9, gpu: undefined };

/** Any JSON answer of the admin API. */
export type Answer = Readonly<Record<string, unknown>>;

/**
 * The app on a free port with a fake engine in front of real accounts, keys and limits, whose clock stands still
 * until it is set. There is one account, `root`, with an admin key. `provider`: where people sign in.
 */
export async function listenWithAccounts(provider?: ProviderSettings) {
  const services = openServices();
  const { store, plans, accounts, keys, authenticator, clock, temp } = services;
  const now = () => clock.nowMs;
  const notices = new Notices({ store, now, log: silentLog, operator: undefined });
  const onSpent: OnSpent = (budget, accountId) => noteBudget(notices, store, budget, accountId);
  const limiter = new StoredLimiter({ store, plans, now, onSpent });
  const signInCodes = new SignInCodes({ store, accounts, keys, now });
  const http = await listen(
    {},
    {
      authenticator,
      limiter,
      administration: {
        accounts,
        keys,
        plans,
        madePlans: new MadePlans({ store, plans, now }),
        models: openModelMemory(),
        pulls: noAdministration.pulls,
        modelSettings: noAdministration.modelSettings,
        hub: noAdministration.hub,
        audit: auditOf(store, now),
        notices,
        invitations: new Invitations({ store, accounts, keys, now }),
        signInCodes,
        provider: provider && {
          identities: new IdentityProvider(provider, () => clientSecret),
          admit(identity) {
            const accountId = admitPerson({ store, accounts, keys }, provider, identity);
            return accountId && signInCodes.create(accountId);
          },
        },
        principalOf: (keyId) => toPrincipal(keys.row(keyId), plans, now()),
        suggestions: async () => suggestModels(loadCuratedModels(curatedModelsFile), machine),
        usage: (query) => {
          limiter.writeRefusals();
          return queryUsageInSlices(store, query);
        },
      },
      clock: { nowMs: now },
    },
  );
  const root = accounts.create({ name: 'root', plan: 'unlimited' });
  const admin = keys.create({ accountId: root.id, kind: 'admin' });

  const send = (method: string, path: string, body?: unknown, secret = admin.secret) =>
    fetch(http.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  return {
    ...services,
    notices,
    limiter,
    http,
    admin,
    /** A request with the admin key; a body that is no string goes as JSON. */
    send,
    /** The JSON of an answer that must have `status`. */
    async ask(method: string, path: string, body?: unknown, status = 200): Promise<Answer> {
      const response = await send(method, path, body);
      const text = await response.text();
      if (response.status !== status) throw new Error(`${response.status}: ${text}`);
      return JSON.parse(text) as Answer;
    },
    async close() {
      await http.close();
      temp.dispose();
    },
  };
}

export type AdminService = Awaited<ReturnType<typeof listenWithAccounts>>;

/** The items of a list answer. */
export function itemsOf(answer: Answer): readonly Answer[] {
  return answer['data'] as readonly Answer[];
}
