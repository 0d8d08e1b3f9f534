import { AppError } from '../errors/errors.ts';
import { Work } from './budget/work.ts';
import { parsePattern } from './language/pattern/parse-pattern.ts';
import { PatternError } from './language/pattern/pattern-node.ts';
import { larkPattern } from './lark/lark-pattern.ts';

/**
 * A regular expression for exactly the texts of a client's grammar, to be used as `pattern` in a schema. Throws
 * AppError invalid_value for a grammar that cannot be enforced, and schema_too_complex for one that takes too much work.
 */
export function textPattern(syntax: 'regex' | 'lark', definition: string): string {
  try {
    if (syntax === 'lark') return larkPattern(definition);
    // Read by itself first: a parenthesis too many must not close the group that is put around it.
    parsePattern(definition, new Work());
    return `^(?:${definition})$`;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new AppError('invalid_value', error.message, { cause: error });
  }
}
