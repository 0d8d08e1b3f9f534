import { AppError } from '../../../src/errors/errors.ts';
import type { Authenticator, Principal } from '../../../src/accounts/types.ts';
import type { Administration, AppDeps } from '../../../src/api/env.ts';
import type { ResponseStore } from '../../../src/store/tables/response-table.ts';
import type { Catalog, CatalogModel } from '../../../src/catalog/types.ts';
import type {
  Admission,
  AdmissionRequest,
  Allowance,
  Limiter,
  Settlement,
} from '../../../src/limits/types.ts';

/** A chat model of the catalog; tests change the fields that they are about. */
export function fakeModel(id: string, changes: Partial<CatalogModel> = {}): CatalogModel {
  return {
    id,
    aliases: [],
    ownedBy: 'tests',
    path: `/models/${id}.gguf`,
    sizeBytes: 1_000_000,
    createdAtSeconds: 1_790_000_000,
    engine: 'llama',
    kind: 'chat',
    architecture: 'llama',
    parameterCount: 135_000_000,
    quantization: 'Q8_0',
    trainContextTokens: 2048,
    capabilities: { audio: false, image: false, functionCalling: false, reasoning: false },
    settings: {
      contextTokens: undefined,
      parallel: 4,
      threads: undefined,
      gpuLayers: undefined,
      keepAliveMs: undefined,
      preload: false,
    },
    ...changes,
  };
}

/** A catalog of exactly `models`; the nearest ids of an unknown one are those with the same first letter. */
export function fakeCatalog(models: readonly CatalogModel[]): Catalog {
  return {
    list: () => models,
    find: (name) => models.find(({ id, aliases }) => id === name || aliases.includes(name)),
    isPending: () => false,
    unserved: () => [{ name: '/models/torn.gguf', reason: 'it ends too early' }],
    nearest: (name) => models.map(({ id }) => id).filter((id) => id[0] === name[0]).slice(0, 3), // prettier-ignore
  };
}

/** Knows exactly the given secrets. */
export function fakeAuthenticator(principals: Readonly<Record<string, Partial<Principal>>>): Authenticator {
  const known = Object.entries(principals).map(([secret, changes]): [string, Principal] => [
    secret,
    {
      keyId: `key-of-${secret.slice(-4)}`,
      accountId: 'account-1',
      accountName: 'local',
      kind: 'user',
      allowedModels: null,
      planName: 'unlimited',
      ...changes,
    },
  ]);
  return {
    authenticate: (secret) => known.find(([one]) => one === secret)?.[1],
    ofKey: (keyId) => known.find(([, principal]) => principal.keyId === keyId)?.[1],
  };
}

export const rateLimitHeaders = {
  'x-ratelimit-limit-requests': '60',
  'x-ratelimit-remaining-requests': '59',
  'x-ratelimit-reset-requests': '1s',
};

/** Admits everything until `refuse` is set; remembers requests and settlements. */
export class FakeLimiter implements Limiter {
  readonly admitted: AdmissionRequest[] = [];
  readonly settlements: Settlement[] = [];
  refuse: Error | undefined;
  failToSettle: Error | undefined;

  admit(request: AdmissionRequest): Admission {
    if (this.refuse !== undefined) throw this.refuse;
    this.admitted.push(request);
    return {
      headers: rateLimitHeaders,
      currentHeaders: () => ({ ...rateLimitHeaders, 'x-ratelimit-remaining-input-tokens': '41' }),
      note: () => undefined,
      settle: (settlement) => {
        this.settlements.push(settlement);
        if (this.failToSettle !== undefined) throw this.failToSettle;
      },
    };
  }

  allowances(): readonly Allowance[] {
    return [];
  }

  budgets(): [] {
    return [];
  }

  get lastSettlement(): Settlement | undefined {
    return this.settlements.at(-1);
  }
}

function unexpected(): never {
  throw new Error('this test is about something else');
}

/** For tests of everything but the admin API: nobody may ask it. */
export const noAdministration: Administration = {
  accounts: {
    create: unexpected,
    list: unexpected,
    get: unexpected,
    change: unexpected,
    remove: unexpected,
    idInHistory: unexpected,
    webhookSecret: unexpected,
  },
  keys: {
    create: unexpected,
    change: unexpected,
    list: unexpected,
    get: unexpected,
    revoke: unexpected,
    rotate: unexpected,
  },
  plans: {
    plans: new Map(),
    sourceOf: unexpected,
    priceOf: (id) => (id === 'tiny' ? { inputTokens: 0.5, outputTokens: 2 } : undefined),
  },
  madePlans: { set: unexpected, remove: unexpected },
  models: {
    get memory() {
      return unexpected();
    },
    get inMemory() {
      return unexpected();
    },
    state: unexpected,
    status: unexpected,
    findNeeds: unexpected,
    load: unexpected,
    unload: unexpected,
  },
  modelSettings: { path: '', of: unexpected, change: unexpected },
  hub: { search: unexpected, variants: unexpected },
  pulls: {
    find: unexpected,
    unknown: unexpected,
    pull: unexpected,
    hasPulled: () => false,
    servedAs: () => undefined,
    sourceOf: () => undefined,
    remove: unexpected,
  },
  notices: { list: () => [] },
  audit: { note: () => undefined, list: unexpected },
  invitations: {
    create: unexpected,
    list: unexpected,
    get: unexpected,
    renewCode: unexpected,
    close: unexpected,
    claim: unexpected,
  },
  signInCodes: { redeem: unexpected, end: unexpected },
  principalOf: unexpected,
  suggestions: unexpected,
  usage: unexpected,
};

/** For tests of everything but files and batches. */
export const noFiles: AppDeps['files'] = {
  roomOf: unexpected,
  reserve: unexpected,
  add: unexpected,
  get() {
    throw new AppError('not_found', 'There is no such file.');
  },
  list: unexpected,
  remove: unexpected,
  pathOf: unexpected,
};
export const noBatches: AppDeps['batches'] = {
  create: unexpected,
  get: unexpected,
  find: unexpected,
  list: unexpected,
  listAll: unexpected,
  inputNameOf: unexpected,
  cancel: unexpected,
  remove: unexpected,
};

/** For tests of everything but stored responses: there are none, and none come. */
export const noStoredResponses: ResponseStore = {
  keptBytes: () => 0,
  insert: unexpected,
  find: () => undefined,
  items: unexpected,
  findItem: () => undefined,
  delete: () => false,
};
