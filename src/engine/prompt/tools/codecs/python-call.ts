import type { JsonValue } from '../../../types.ts';
import type { ArgumentsCodec } from '../call-codec.ts';
import { argumentsGrammar } from '../schema/arguments-grammar.ts';
import { isJsonArray } from '../schema/call-arguments.ts';
import type { ArgumentsShape } from '../tool-syntax.ts';
import { readMembers } from './read-values.ts';

/** Arguments as in a call of Python: (key='text', other=5). */
export const pythonCodec: ArgumentsCodec<Extract<ArgumentsShape, { kind: 'pythonic' }>> = {
  find(behindName) {
    const found = /^\(qz_text=(["']).*?\1, ?qz_count=\d+\)/.exec(behindName);
    return found ? { afterName: '', end: found[0].length, shape: { kind: 'pythonic' } } : undefined;
  },
  *read(_, { chars, argumentsPiece }, { oddNames }) {
    yield* readMembers(chars, '(', { escaping: ["'", '"'] }, argumentsPiece, 0, oddNames);
  },
  grammar(_, { schema }) {
    const inner = argumentsGrammar(schema, {
      separator: '"," " "?',
      argument: ({ key, value }) => `${key} "=" ${value()}`,
    });
    return `"(" ${inner} ")"`;
  },
  write: (_, values) =>
    `(${Object.entries(values)
      .map(([key, value]) => `${key}=${toPython(value)}`)
      .join(', ')})`,
};

function toPython(value: JsonValue): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map(toPython).join(', ')}]`;
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toPython(item)}`);
  return `{${members.join(', ')}}`;
}
