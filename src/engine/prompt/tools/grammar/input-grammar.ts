import { AppError } from '../../../../errors/errors.ts';
import { larkPattern } from '../../../../grammar/lark/lark-pattern.ts';
import { Work } from '../../../../grammar/budget/work.ts';
import { parsePattern } from '../../../../grammar/language/pattern/parse-pattern.ts';
import { PatternError } from '../../../../grammar/language/pattern/pattern-node.ts';
import type { JsonObject, TextGrammar } from '../../../types.ts';

/**
 * What `compile` returns for the parameters of a tool that takes a text of `grammar`. Throws invalid_value or
 * schema_too_complex with the param `path` for a grammar that cannot be enforced.
 */
export function withInputGrammar<T>(
  grammar: TextGrammar,
  path: string,
  compile: (parameters: JsonObject) => T,
): T {
  try {
    return compile({
      type: 'object',
      properties: { input: { type: 'string', pattern: patternOf(grammar) } },
      required: ['input'],
      additionalProperties: false,
    });
  } catch (error) {
    const isRefusal = error instanceof PatternError || error instanceof AppError;
    if (!isRefusal) throw error;
    const code =
      error instanceof AppError && error.code === 'schema_too_complex' ? error.code : 'invalid_value';
    const message = `The grammar of this tool cannot be enforced: ${error.message}`;
    throw new AppError(code, message, { param: path, cause: error });
  }
}

/** The pattern that whole texts of the grammar match. */
function patternOf({ syntax, definition }: TextGrammar): string {
  if (syntax === 'lark') return larkPattern(definition);
  // Read by itself first: a parenthesis too many must not close the group that is put around it.
  parsePattern(definition, new Work());
  return `^(?:${definition})$`;
}
