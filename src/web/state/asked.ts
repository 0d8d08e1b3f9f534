import { useMemo } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import { usePolled, type Polled } from './polled.ts';
import { adminJson, secrets, userJson } from './session.ts';

/** The last answer of each address, by sign-in: a view that is opened while the server is away shows it. */
const lastTold = new WeakMap<object, Map<string, unknown>>();

/** The JSON of an address below /admin/v1, also when `input` changes; undefined without an address. */
export const useAdmin = <Answer>(
  path: string | undefined,
  everyMs?: number,
  input?: unknown,
): Polled<Answer> =>
  useLast(
    `admin ${path}`,
    usePolled(
      async (signal) => (path === undefined ? undefined : await adminJson<Answer>(path, { signal })),
      [path, input],
      everyMs,
    ),
  );

/** The JSON of an address below /v1. */
export const useUser = <Answer>(path: string, everyMs?: number): Polled<Answer> =>
  useLast(
    path,
    usePolled((signal) => userJson<Answer>(path, { signal }), [path], everyMs),
  );

function useLast<Answer>(address: string, polled: Polled<Answer>): Polled<Answer> {
  const told = lastTold.get(secrets.value) ?? new Map<string, unknown>();
  lastTold.set(secrets.value, told);
  const last = useMemo(
    () => (isServerAway.value ? (told.get(address) as Answer | undefined) : undefined),
    [address],
  );
  if (polled.value === undefined) return { ...polled, value: last };
  told.set(address, polled.value);
  return polled;
}
