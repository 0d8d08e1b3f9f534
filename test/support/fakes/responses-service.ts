import type { ApiSettings, AppDeps } from '../../../src/api/env.ts';
import { openTempStore } from '../../unit/store/temp-store.ts';
import { fakeAuthenticator } from './fake-services.ts';
import { listen, userKey } from './http-service.ts';
import type { Service } from './http-service.ts';

export const strangerKey = 'hk-other-0123456789abcdefghijklmnopqrstuvwxyz12';
export const colleagueKey = 'hk-colleague-0123456789abcdefghijklmnopqrstuvw';

const startMs = 1_795_000_000_000;

export interface ResponsesService extends Service {
  /** The time of the service's clock. */
  time: { nowMs: number };
  /** From now on nothing can be stored. */
  failToStore(error: Error): void;
  post(body: object, init?: { key?: string; signal?: AbortSignal }): Promise<Response>;
  get(path: string, init?: { key?: string; method?: string }): Promise<Response>;
}

/** The service with a real store behind it, for two accounts, one of which has two keys. */
export async function listenWithStore(
  settings: Partial<ApiSettings> = {},
  more: Partial<AppDeps> = {},
): Promise<ResponsesService> {
  const temp = openTempStore();
  for (const id of ['account-1', 'account-2']) {
    temp.store.accounts.insert({
      id,
      name: id,
      plan: 'unlimited',
      planSetAtMs: startMs,
      createdAtMs: startMs,
    });
  }
  const time = { nowMs: startMs };
  let failure: Error | undefined;
  const { responses } = temp.store;
  const changes: Partial<AppDeps> = {
    responses: {
      keptBytes: (...of) => responses.keptBytes(...of),
      find: (...of) => responses.find(...of),
      items: (...of) => responses.items(...of),
      findItem: (...of) => responses.findItem(...of),
      delete: (...of) => responses.delete(...of),
      insert(...row) {
        if (failure !== undefined) throw failure;
        responses.insert(...row);
      },
    },
    clock: { nowMs: () => time.nowMs },
    authenticator: fakeAuthenticator({
      [userKey]: {},
      [colleagueKey]: {},
      [strangerKey]: { accountId: 'account-2', accountName: 'stranger' },
    }),
    ...more,
  };
  const service = await listen(settings, changes);
  const call = (path: string, key: string, init: RequestInit): Promise<Response> =>
    fetch(service.origin + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
  return {
    ...service,
    time,
    failToStore(error) {
      failure = error;
    },
    post: (body, { key = userKey, signal } = {}) =>
      call('/v1/responses', key, {
        method: 'POST',
        body: JSON.stringify({ model: 'tiny', ...body }),
        ...(signal && { signal }),
      }),
    get: (path, { key = userKey, method = 'GET' } = {}) => call(`/v1/responses/${path}`, key, { method }),
    async close() {
      await service.close();
      temp.dispose();
    },
  };
}
