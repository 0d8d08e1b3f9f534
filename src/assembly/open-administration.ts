import { toPrincipal } from '../accounts/authenticator.ts';
import { MadePlans } from '../accounts/made-plans.ts';
import { auditOf } from '../accounts/audit.ts';
import { Invitations } from '../accounts/sign-in/invitations.ts';
import { IdentityProvider, type Identity } from '../accounts/sign-in/identity-provider.ts';
import { admitPerson } from '../accounts/sign-in/provider-accounts.ts';
import type { SignInCodes } from '../accounts/sign-in/sign-in-codes.ts';
import { readSetting } from '../config/values/secret-source.ts';
import { loadCuratedModels } from '../catalog/pulls/curated-models.ts';
import type { MachinePower } from '../catalog/pulls/expected-speed.ts';
import { openHub } from '../catalog/pulls/hub.ts';
import { suggestModels } from '../catalog/pulls/suggestions.ts';
import { curatedModelsFile } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import type { StoredLimiter } from '../limits/limiter.ts';
import { queryUsageInSlices, type UsageQuery } from '../limits/reports/usage.ts';
import { measureMachine } from './machine/machine-power.ts';
import type { Services } from './services.ts';

/** The identity provider of the settings, and how people whom it vouches for are let in. */
export function openProvider({ oidc }: Config, services: Services, codes: SignInCodes) {
  if (oidc === undefined) return undefined;
  const identities = new IdentityProvider(oidc, (secret) => readSetting(secret, process.env));
  return {
    identities,
    admit(identity: Identity) {
      const accountId = admitPerson(services, oidc, identity);
      return accountId && codes.create(accountId);
    },
  };
}

export function openAdministration(config: Config, services: Services, limiter: StoredLimiter) {
  const { now, store, plans, accounts, keys, models } = services;
  let measured: Promise<MachinePower> | undefined;
  const machine = () => (measured ??= measureMachine(config));
  return {
    accounts,
    keys,
    plans,
    madePlans: new MadePlans(services),
    models,
    audit: auditOf(store, now),
    invitations: new Invitations(services),
    usage: (query: UsageQuery) => {
      limiter.writeRefusals();
      return queryUsageInSlices(store, query);
    },
    principalOf: (keyId: string) => toPrincipal(keys.row(keyId), plans, now()),
    suggestions: async () => suggestModels(loadCuratedModels(curatedModelsFile), await machine()),
    hub: openHub(process.env, machine),
  };
}
