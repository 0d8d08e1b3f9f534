import type { JsonValue } from '../../../types.ts';
import type { ArgumentsCodec } from '../call-codec.ts';
import { argumentsGrammar } from '../schema/arguments-grammar.ts';
import { isJsonArray } from '../schema/call-arguments.ts';
import type { ArgumentsShape } from '../tool-syntax.ts';
import { readMembers } from './read-values.ts';

/** Arguments with names that have no quotes and texts between quotes of their own: {key:QUOTEtextQUOTE,other:5}. */
export const bareKeysCodec: ArgumentsCodec<Extract<ArgumentsShape, { kind: 'bare-keys' }>> = {
  find(behindName, { arguments: { qz_text: text } }) {
    const found = /^\{(?:qz_count:\d+,)?qz_text:(\S+?)qz(\w+ \w+)\1(?:,qz_count:\d+)?\}/.exec(behindName);
    const [whole = '', quote = '', words] = found ?? [];
    return `qz${words}` === text
      ? { afterName: '', end: whole.length, shape: { kind: 'bare-keys', quote } }
      : undefined;
  },
  *read({ quote }, { chars, argumentsPiece }, { oddNames }) {
    yield* readMembers(chars, '{', { raw: quote, escaping: ['"'] }, argumentsPiece, 0, oddNames);
  },
  grammar({ quote }, { schema }) {
    const inner = argumentsGrammar(schema, {
      separator: '","',
      argument: ({ key, value }) => `${key} ":" ${value({ mark: quote })}`,
    });
    return `"{" ${inner} "}"`;
  },
  write: ({ quote }, values) => toBareKeys(values, quote, true),
};

function toBareKeys(value: JsonValue, quote: string, outermost = false): string {
  if (typeof value === 'string') return quote + value + quote;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonArray(value)) return `[${value.map((item) => toBareKeys(item, quote)).join(',')}]`;
  const members = Object.entries(value).map(([key, item]) => {
    const isPlain = outermost || /^[A-Za-z_$][\w$.-]{0,63}$/.test(key);
    return `${isPlain ? key : quote + key + quote}:${toBareKeys(item, quote)}`;
  });
  return `{${members.join(',')}}`;
}
