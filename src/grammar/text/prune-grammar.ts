import {
  choice,
  isEmptyText,
  isNothing,
  nothing,
  partsOf,
  ref,
  referencedRules,
  repeat,
  sequence,
  type Expression,
} from './expression.ts';
import { primitiveRules } from './primitive-rules.ts';

/**
 * The rules that `root` needs, without alternatives that lead into endless recursion: with these a model could write
 * without end. Rules that only refer to another rule are replaced by it. Undefined when `root` matches no finite text.
 */
export function pruneGrammar(
  rules: ReadonlyMap<string, Expression>,
  root: string,
): { readonly rules: ReadonlyMap<string, Expression>; readonly root: string } | undefined {
  const finite = finiteRules(rules);
  if (!finite.has(root)) return undefined;
  const kept = new Map<string, Expression>();
  for (const [name, expression] of rules)
    if (finite.has(name))
      kept.set(
        name,
        rewrite(expression, (rule) => (finite.has(rule) ? ref(rule) : nothing)),
      );
  const alias = (rule: string): string => {
    const seen = new Set<string>();
    let name = rule;
    for (let body = kept.get(name); body?.kind === 'ref' && !seen.has(name); body = kept.get(name)) {
      seen.add(name);
      name = body.rule;
    }
    return name;
  };
  const needed = new Map<string, Expression>();
  const start = alias(root);
  const queue = [start];
  for (const name of queue) {
    const body = kept.get(name);
    if (body === undefined || needed.has(name)) continue;
    const direct = rewrite(body, (rule) => ref(alias(rule)));
    needed.set(name, direct);
    queue.push(...referencedRules(direct));
  }
  return { rules: inlined(needed, start), root: start };
}

/** How many rules may be inlined into one, so that no rule becomes very long. */
const maxInlined = 100;

/** `rules` with those inlined that are used in one place only and are not a choice. */
function inlined(rules: ReadonlyMap<string, Expression>, root: string): ReadonlyMap<string, Expression> {
  const uses = new Map<string, number>([[root, 2]]);
  const count = (expression: Expression, weight: number): void => {
    if (expression.kind === 'ref') uses.set(expression.rule, (uses.get(expression.rule) ?? 0) + weight);
    // Rules are not inlined into repetitions: llama.cpp's limit on these counts the parts inside; a reference is one.
    for (const part of partsOf(expression)) count(part, expression.kind === 'repeat' ? 2 : weight);
  };
  for (const expression of rules.values()) count(expression, 1);
  const gone = (name: string) => uses.get(name) === 1 && rules.get(name)?.kind !== 'choice';
  const kept = new Map<string, Expression>();
  const write = (name: string, body: Expression): void => {
    let left = maxInlined;
    const expand = (rule: string): Expression => {
      const inner = rules.get(rule);
      if (inner === undefined || !gone(rule) || left === 0) {
        if (inner !== undefined && gone(rule) && !kept.has(rule)) write(rule, inner);
        return ref(rule);
      }
      left -= 1;
      return rewrite(inner, expand);
    };
    kept.set(name, body);
    kept.set(name, rewrite(body, expand));
  };
  for (const [name, body] of rules) if (!gone(name)) write(name, body);
  return kept;
}

/** The names of the rules that match at least one finite text; primitive rules always do. */
function finiteRules(rules: ReadonlyMap<string, Expression>): ReadonlySet<string> {
  const uses = [...rules].flatMap(([name, expression]) =>
    [...referencedRules(expression)].map((used) => ({ name, used })),
  );
  const users = Map.groupBy(uses, ({ used }) => used);
  const finite = new Set<string>(primitiveRules.keys());
  const queue = [...rules.keys()];
  for (const name of queue) {
    const expression = rules.get(name);
    if (expression === undefined || finite.has(name) || !isFinite(expression, finite)) continue;
    finite.add(name);
    for (const user of users.get(name) ?? []) queue.push(user.name);
  }
  return finite;
}

function isFinite(expression: Expression, finite: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'literal':
      return true;
    case 'chars':
      return expression.set.length > 0;
    case 'ref':
      return finite.has(expression.rule);
    case 'sequence':
      return expression.parts.every((part) => isFinite(part, finite));
    case 'choice':
      return expression.options.some((option) => isFinite(option, finite));
    case 'repeat':
      return expression.min === 0 || isFinite(expression.inner, finite);
  }
}

function rewrite(expression: Expression, replace: (rule: string) => Expression): Expression {
  switch (expression.kind) {
    case 'literal':
    case 'chars':
      return expression;
    case 'ref':
      return replace(expression.rule);
    case 'sequence':
      return sequence(...expression.parts.map((part) => rewrite(part, replace)));
    case 'choice': {
      const options = expression.options.map((option) => rewrite(option, replace));
      const alive = options.filter((option) => !isNothing(option));
      const empty = alive.find(isEmptyText);
      return choice(empty === undefined ? alive : [...alive.filter((option) => !isEmptyText(option)), empty]);
    }
    case 'repeat':
      return repeat(rewrite(expression.inner, replace), expression.min, expression.max);
  }
}
