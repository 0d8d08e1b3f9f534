import { invalidValue } from '../errors/errors.ts';

/** Who is asking: the API key that was presented and the account that it belongs to. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountName: string;
  /** Admin keys are for /admin/v1 and /metrics; nothing else needs one. */
  readonly kind: 'user' | 'admin';
  /** Canonical model ids that the key may use; null: all. */
  readonly allowedModels: readonly string[] | null;
  /** The uses that the key allows; null or undefined: all. */
  readonly scopes?: readonly string[] | null;
  /** Most requests at once; null or undefined: any number. */
  readonly parallel?: number | null;
  /** The plan in force now: `trial` becomes `reduced` when its days are over. */
  readonly planName: string;
  /** Since when that plan holds for the account, Unix ms; undefined: always. */
  readonly planSinceMs?: number;
  /** When `reduced` takes the place of that plan, Unix ms; null or undefined: never. */
  readonly planEndsAtMs?: number | null;
  /** Nobody waits for the answer: the request gives way to all others. */
  readonly isBackground?: boolean;
  /** It is a line of a batch. */
  readonly isPaced?: boolean;
}

/** The account of the machine's owner, which is found by this name. */
export const bootstrapAccountName = 'local';

/** The wall clock: Unix milliseconds. It may jump, in either direction. */
export type Clock = () => number;

/** Turns a presented secret into its principal; undefined for unknown, revoked and expired keys. */
export interface Authenticator {
  authenticate(secret: string): Principal | undefined;
  /** The principal of the key with this id; undefined for revoked and expired keys, too. It checks no secret: only for requests that the operator lets in without one. */
  ofKey(keyId: string): Principal | undefined;
}

/** The uses that ordinary keys may allow. Models, limits and usage are open to all of them. */
export const userScopes = ['chat', 'embeddings', 'speech', 'batches', 'files', 'tools'] as const;

export type UserScope = (typeof userScopes)[number];

/** An admin key with it may look at everything. */
export const readScope = 'read';
/** Begins the scope of an admin key that makes accounts and keys of the plan that follows. */
export const planPrefix = 'plan:';

export const scopeForms = `${userScopes.join(', ')}; of an admin key ${readScope} or ${planPrefix}PLAN`;

/** Throws invalid_value where a key of this kind cannot have these scopes. */
export function checkScopes(kind: Principal['kind'], scopes: readonly string[]): void {
  const isKnown = (scope: string) =>
    kind === 'user'
      ? userScopes.some((one) => one === scope)
      : scope === readScope || (scope.startsWith(planPrefix) && scope.length > planPrefix.length);
  const unknown = scopes.find((scope) => !isKnown(scope));
  if (scopes.length > 0 && unknown === undefined) return;
  const what = kind === 'user' ? userScopes.join(', ') : `${readScope}, ${planPrefix}PLAN`;
  throw invalidValue(
    'scopes',
    unknown === undefined
      ? `Name at least one scope, or none at all to allow everything: ${what}.`
      : `"${unknown}" is no scope of ${kind === 'user' ? 'an ordinary' : 'an admin'} key. Known: ${what}.`,
  );
}

/** The plans of which an admin key makes accounts and keys; undefined: of all, and it may do everything else. */
export function managedPlans({ scopes }: Principal): readonly string[] | undefined {
  return scopes
    ?.filter((scope) => scope.startsWith(planPrefix))
    .map((scope) => scope.slice(planPrefix.length));
}
