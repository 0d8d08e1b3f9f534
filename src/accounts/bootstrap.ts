import { ConfigError } from '../errors/operator-errors.ts';
import { unlimitedPlanName } from './plans.ts';
import type { Store } from '../store/store.ts';
import { actingAs, onThisMachine } from './audit.ts';
import type { Accounts } from './accounts.ts';
import type { Keys } from './keys.ts';
import { adminPrefix, hashSecret, type Secret } from './secrets.ts';
import { bootstrapAccountName } from './types.ts';

/** Whether a start made the owner's key. The secret of `created` is to be shown, once. */
export type Bootstrap =
  | { readonly outcome: 'created'; readonly secret: string }
  | { readonly outcome: 'created-from-environment' }
  | {
      readonly outcome: 'existing';
      /** HEARTH_API_KEY is set, but no key of this database has that value. */
      readonly unknownApiKey: boolean;
    };

export interface BootstrapDeps {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly apiKey: Secret | undefined;
}

/** The account of the machine's owner, which is made where there is none. */
export function ownerAccountId({ store, accounts }: Pick<BootstrapDeps, 'store' | 'accounts'>): string {
  const account = store.accounts.byName(bootstrapAccountName);
  return account?.id ?? accounts.create({ name: bootstrapAccountName, plan: unlimitedPlanName }).id;
}

const keylessName = 'programs on this machine without a key (--no-key)';

/** Id of the owner's key that nobody knows, by which requests without one are metered. It is made where there is none. */
export function ensureKeylessKey({ store, accounts, keys }: Omit<BootstrapDeps, 'apiKey'>): string {
  const findOrMake = () => {
    const accountId = ownerAccountId({ store, accounts });
    const own = keys.list(accountId).find(({ name, state }) => name === keylessName && state === 'active');
    return own?.id ?? keys.create({ accountId, name: keylessName }).key.id;
  };
  return actingAs(onThisMachine('server'), () => store.immediate(findOrMake));
}

function checkApiKey(secret: string): void {
  if (!/^[\x21-\x7e]{8,256}$/.test(secret)) {
    throw new ConfigError(
      'HEARTH_API_KEY must be 8 to 256 visible ASCII characters without spaces',
      'make one with: openssl rand -hex 32',
    );
  }
  if (secret.startsWith(adminPrefix)) {
    throw new ConfigError(
      `HEARTH_API_KEY must not start with ${adminPrefix}: it becomes an ordinary key`,
      'admin keys are made by the command "keys create" with --admin',
    );
  }
}

/** Makes the owner's account and its key in an empty database; changes nothing in any other. Throws ConfigError. */
export function ensureBootstrap({ store, accounts, keys, apiKey }: BootstrapDeps): Bootstrap {
  const given = apiKey?.reveal();
  if (given !== undefined) checkApiKey(given);
  const makeFirst = (): Bootstrap => {
    if (!store.accounts.isEmpty()) {
      const isKnown = given === undefined || store.keys.byHash(hashSecret(given)) !== undefined;
      return { outcome: 'existing', unknownApiKey: !isKnown };
    }
    const { id } = accounts.create({ name: bootstrapAccountName, plan: unlimitedPlanName });
    const { secret } = keys.create({ accountId: id, name: 'first key', secret: given });
    return given === undefined ? { outcome: 'created', secret } : { outcome: 'created-from-environment' };
  };
  return actingAs(onThisMachine('server'), () => store.immediate(makeFirst));
}
