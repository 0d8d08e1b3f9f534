import type { z } from 'zod';
import { AppError, type ErrorCode } from '../../errors/errors.ts';
import { formatPath } from '../../words/format-path.ts';

type Issue = z.core.$ZodIssue;

interface Finding {
  readonly code: ErrorCode;
  readonly path: readonly PropertyKey[];
  /** Completes the sentence `'<param>' …`. */
  readonly complaint: string;
}

/** The public error of zod's first issue with `body`. */
export function toParameterError(error: z.ZodError, body: unknown): AppError {
  const [issue] = error.issues;
  if (issue === undefined) throw new TypeError('a zod error without issues');
  const { code, path, complaint } = toFinding(issue, body, []);
  const param = formatPath(path);
  const message =
    code === 'missing_required_parameter'
      ? `Missing required parameter '${param}': it ${complaint}.`
      : `'${param}' ${complaint}.`;
  return new AppError(code, message, { param });
}

/** The finding of one issue. Its path begins at `base`, which is not the root for a branch of a union. */
function toFinding(issue: Issue, body: unknown, base: readonly PropertyKey[]): Finding {
  const path = [...base, ...issue.path];
  const given = valueAt(body, path);
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return toUnionFinding(issue.errors, body, path, given);
  }
  if (given === undefined) {
    return { code: 'missing_required_parameter', path, complaint: toComplaint(issue, given) };
  }
  return { code: toCode(issue, given), path, complaint: toComplaint(issue, given) };
}

/** The finding of the branch that the value was meant for; if it fits none, with the types of all branches. */
function toUnionFinding(
  branches: readonly (readonly Issue[])[],
  body: unknown,
  path: readonly PropertyKey[],
  given: unknown,
): Finding {
  const expected: string[] = [];
  for (const [issue] of branches) {
    if (issue === undefined) continue;
    if (issue.code !== 'invalid_type' || issue.path.length > 0) return toFinding(issue, body, path);
    expected.push(typeNames[issue.expected] ?? issue.expected);
  }
  const complaint = `must be ${expected.join(' or ')}`;
  return given === undefined
    ? { code: 'missing_required_parameter', path, complaint }
    : { code: 'invalid_type', path, complaint: `${complaint}, not ${describe(given)}` };
}

function toCode(issue: Issue, given: unknown): ErrorCode {
  if (issue.code === 'invalid_type') return 'invalid_type';
  // A choice of strings, where the value is no string at all.
  if (issue.code === 'invalid_value' || issue.code === 'invalid_union') {
    return typeof given === 'string' ? 'invalid_value' : 'invalid_type';
  }
  const declared: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return declarableCodes.find((code) => code === declared) ?? 'invalid_value';
}

/** The codes that a custom check may name as `params.code`. */
const declarableCodes = [
  'invalid_type',
  'invalid_value',
  'unsupported_value',
  'invalid_json_schema',
] as const;

export type DeclarableCode = (typeof declarableCodes)[number];

function toComplaint(issue: Issue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const must = `must be ${typeNames[issue.expected] ?? issue.expected}`;
      return given === undefined ? must : `${must}, not ${describe(given)}`;
    }
    case 'too_big':
      return `must ${toBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${toBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}${gotString(given)}`;
    case 'invalid_union': {
      const options = 'options' in issue ? (issue.options ?? []) : [];
      return `must be one of ${options.map((option) => JSON.stringify(option)).join(', ')}${gotString(given)}`;
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      // Custom checks have their own complaint. No schema here uses the other issues.
      return issue.message;
    default:
      return issue satisfies never;
  }
}

function toBound(origin: string, relation: string, bound: number | bigint): string {
  if (bound === 1 && relation === 'at least' && origin !== 'number' && origin !== 'int')
    return 'not be empty';
  if (origin === 'string') return `have ${relation} ${bound} characters`;
  if (origin === 'array') return `have ${relation} ${bound} items`;
  return `be ${relation} ${bound}`;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'an integer',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'one beyond all bounds';
  if (typeof value === 'number' && !Number.isInteger(value)) return 'a fraction';
  return typeNames[typeof value] ?? typeof value;
}

/** The wrong value itself, if it is a short word and not somebody's text. */
function gotString(given: unknown): string {
  return typeof given === 'string' && /^[\w.:-]{1,32}$/.test(given) ? `, not "${given}"` : '';
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
