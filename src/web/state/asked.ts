import { useMemo } from 'preact/hooks';
import { isServerAway } from '../api/connection.ts';
import { usePolled, type Polled } from './polled.ts';
import { adminJson, secrets, userJson } from './session.ts';

/** The last answer of each address, by sign-in: a view that is opened while the server is away shows it. */
const lastTold = new WeakMap<object, Map<string, unknown>>();

type Ask = <Answer>(path: string, options: { signal: AbortSignal }) => Promise<Answer>;

/** The JSON of an address below /admin/v1, also when `input` changes; undefined without an address. */
export const useAdmin = <Answer>(path: string | undefined, everyMs?: number, input?: unknown) =>
  useAnswer<Answer>(adminJson, path, everyMs, input);

/** The JSON of an address below /v1; undefined without an address. */
export const useUser = <Answer>(path: string | undefined, everyMs?: number) =>
  useAnswer<Answer>(userJson, path, everyMs);

/** The answer of the address that is asked for now; that of the one before is not told in its place. */
function useAnswer<Answer>(
  ask: Ask,
  path: string | undefined,
  everyMs?: number,
  input?: unknown,
): Polled<Answer> {
  const { value: told, ...polled } = usePolled(
    async (signal) => ({
      path,
      answer: path === undefined ? undefined : await ask<Answer>(path, { signal }),
    }),
    [path, input],
    everyMs,
  );
  const answers = lastTold.get(secrets.value) ?? new Map<string, unknown>();
  lastTold.set(secrets.value, answers);
  const address = `${ask === adminJson} ${path}`;
  const last = useMemo(() => (isServerAway.value ? answers.get(address) : undefined), [address]);
  const value = told?.path === path ? told?.answer : undefined;
  if (value !== undefined) answers.set(address, value);
  return { ...polled, value: value ?? (last as Answer | undefined) };
}
