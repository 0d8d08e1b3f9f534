import { AppError } from '../errors/errors.ts';
import type { Principal } from './types.ts';

/** What ordinary keys may be used for. Models, limits and usage are open to all of them. */
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
  throw new AppError(
    'invalid_value',
    unknown === undefined
      ? `Name at least one scope, or none at all to allow everything: ${what}.`
      : `"${unknown}" is no scope of ${kind === 'user' ? 'an ordinary' : 'an admin'} key. Known: ${what}.`,
    { param: 'scopes' },
  );
}

/** The plans of which an admin key makes accounts and keys; undefined: of all, and it may do everything else. */
export function managedPlans({ scopes }: Principal): readonly string[] | undefined {
  return scopes
    ?.filter((scope) => scope.startsWith(planPrefix))
    .map((scope) => scope.slice(planPrefix.length));
}
