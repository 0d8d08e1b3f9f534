import {
  budgetMeasureNames,
  listLimits,
  perPeriod,
  type BudgetLimits,
} from '../../accounts/budgets/budget.ts';
import { managedPlans, readScope, type UserScope, type Principal } from '../../accounts/types.ts';
import { AppError } from '../../errors/errors.ts';

/** The scope of each documented route, the first that fits; `any`: every ordinary key may use it. */
const scopesOfRoutes: readonly (readonly [scope: UserScope | 'any', routes: RegExp])[] = [
  ['batches', /^\/v1\/(?:messages\/)?batches\b/],
  ['files', /^\/v1\/files\b/],
  [
    'chat',
    /^(?:\/v1\/(?:chat|completions|messages|responses|infill)|\/(?:completion|infill)|\/api\/(?:chat|generate|v1\/chat))\b/,
  ],
  ['embeddings', /^(?:\/v1\/(?:embeddings|rerank)|\/rerank|\/api\/embed(?:dings)?)\b/],
  ['speech', /^\/v1\/(?:audio|voices)\b/],
  ['tools', /^\/(?:mcp|v1\/mcp_servers)\b/],
  [
    'any',
    /^\/(?:v1\/)?(?:models|limits|usage|documents|stream|tokenize|detokenize|apply-template|props|slots)\b/,
  ],
  ['any', /^\/api\/(?:version|tags|ps|show|v\d\/models)\b/],
];

/** The scope that a key needs for a documented route; undefined: none opens it. */
export const scopeOfRoute = (route: string): UserScope | 'any' | undefined =>
  scopesOfRoutes.find(([, routes]) => routes.test(route))?.[0];

/** Throws insufficient_permissions where the key has scopes and none of them opens the route. */
export function checkRoute(principal: Principal, method: string, route: string): void {
  if (!principal.scopes) return;
  if (principal.kind === 'admin') checkAdminRoute(principal, method, route);
  else checkScope(principal, scopeOfRoute(route), route);
}

/** Throws insufficient_permissions where the key has scopes and `scope` is not among them. */
export function checkScope(
  { keyId, scopes }: Principal,
  scope: UserScope | 'any' | undefined,
  what: string,
): void {
  if (!scopes || scope === 'any' || (scope !== undefined && scopes.includes(scope))) return;
  const remedy =
    scope === undefined
      ? 'Use a key without scopes.'
      : `It needs the scope ${scope}: ask the operator for "hearth keys set ${keyId} --scopes ${[...scopes, scope].join(',')}", or use another key.`;
  throw new AppError(
    'insufficient_permissions',
    `The scopes of this API key (${scopes.join(', ')}) do not allow ${what}. ${remedy}`,
  );
}

/** Throws insufficient_permissions where an admin key manages plans and `plan` is none of them. */
export function checkPlan(principal: Principal, plan: string): void {
  const plans = managedPlans(principal);
  if (plans === undefined || plans.includes(plan)) return;
  throw new AppError(
    'insufficient_permissions',
    `This admin key makes accounts, keys and invitations on the plan ${plans.join(', ')} only. Name an account or a plan of these, or use another admin key.`,
  );
}

/** Throws insufficient_permissions where an admin key manages plans and `budgets` go beyond those that the plan gives. */
export function checkBudgets(
  principal: Principal,
  planned: BudgetLimits = {},
  budgets: BudgetLimits<number | null> = {},
): void {
  if (managedPlans(principal) === undefined) return;
  for (const { measure, period, limit } of listLimits(budgets)) {
    const most = planned[measure]?.[period];
    if (limit === null || most === undefined || limit <= most) continue;
    const name = budgetMeasureNames[measure];
    throw new AppError(
      'insufficient_permissions',
      `'budgets.${name}.${period}' is more than the ${most}${perPeriod(period)} that the plan gives an account, and this admin key may only give less. Leave it out, or use another admin key.`,
    );
  }
}

/** The routes that keys that manage plans may post to; their bodies are checked by the routes. */
const managed: ReadonlySet<string> = new Set(
  ['accounts', 'keys', 'invitations'].map((name) => `/admin/v1/${name}`),
);

function checkAdminRoute({ keyId, scopes }: Principal, method: string, route: string): void {
  const isReading = method === 'GET' || method === 'HEAD';
  const mayRead = isReading && scopes?.includes(readScope) === true;
  const hasPlans = scopes?.some((scope) => scope !== readScope) === true;
  if (mayRead || (hasPlans && method === 'POST' && managed.has(route))) return;
  const needed = isReading
    ? `It needs the scope ${readScope}`
    : hasPlans
      ? 'It makes accounts, keys and invitations of its plans and changes nothing else'
      : 'It reads, and changes nothing';
  throw new AppError(
    'insufficient_permissions',
    `The scopes of this admin key (${scopes?.join(', ')}) do not allow ${method} ${route}. ${needed}: use another admin key, or "hearth keys set ${keyId} --scopes …" on the machine itself.`,
  );
}
