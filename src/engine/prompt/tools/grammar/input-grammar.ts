import { AppError } from '../../../../errors/errors.ts';
import { textPattern } from '../../../../grammar/text-pattern.ts';
import type { JsonObject, TextGrammar } from '../../../types.ts';

/**
 * The result of `compile` for the parameters of a tool that takes a text of `grammar`. Throws invalid_value or
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
      properties: { input: { type: 'string', pattern: textPattern(grammar.syntax, grammar.definition) } },
      required: ['input'],
      additionalProperties: false,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error.code === 'schema_too_complex' ? error.code : 'invalid_value';
    const message = `The grammar of this tool cannot be enforced: ${error.message}`;
    throw new AppError(code, message, { param: path, cause: error });
  }
}
