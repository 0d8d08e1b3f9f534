import { z } from 'zod';
import { nearestName } from '../../words/nearest-names.ts';
import { toJsonSchema } from '../openapi/json-schema.ts';

/** A tool that the server would have to run, such as a search of the web, or a block that such a tool wrote. */
export interface IgnoredKind {
  readonly type: 'ignored';
  readonly kind: string;
}

/** Types are short words, those of tools often with a date. */
const kindPattern = /^[\w.:-]{1,64}$/;

/** An object of one of `types`, which fits `known`, or of any other, which is ignored unless it is a near miss. */
export function kindOrIgnored<Known extends z.ZodType>(types: readonly string[], known: Known) {
  const parse = z.unknown().transform((given, context): z.output<Known> | IgnoredKind => {
    const kind = otherKindOf(given, types);
    if (kind !== undefined) return { type: 'ignored', kind };
    const result = known.safeParse(given);
    if (result.success) return result.data;
    for (const issue of result.error.issues)
      context.issues.push({ ...issue, input: given } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
  return parse.meta({ anyOf: [toJsonSchema(known), toJsonSchema(z.looseObject({ type: z.string() }))] });
}

function otherKindOf(given: unknown, types: readonly string[]): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { type } = given as { type?: unknown };
  if (typeof type !== 'string' || !kindPattern.test(type)) return undefined;
  return nearestName(type, types) === undefined ? type : undefined;
}

export function isOffered<Tool extends { readonly type: string }>(
  tool: Tool | IgnoredKind,
): tool is Exclude<Tool, IgnoredKind> {
  return tool.type !== 'ignored';
}

/** The names in `x-ignored-parameters` of the ignored ones of `tools`, each type once: `tools.web_search`. */
export function ignoredToolNames(
  tools: readonly { readonly type: string; readonly kind?: string }[],
): string[] {
  const kinds = tools.flatMap(({ type, kind }) => (type === 'ignored' && kind !== undefined ? [kind] : []));
  return [...new Set(kinds)].map((kind) => `tools.${kind}`);
}
