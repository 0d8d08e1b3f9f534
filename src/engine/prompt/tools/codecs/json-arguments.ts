import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { ArgumentsCodec } from '../call-codec.ts';
import { argumentsGrammar } from '../schema/arguments-grammar.ts';
import type { ToolSchema } from '../schema/tool-schema.ts';
import type { ArgumentsShape } from '../tool-syntax.ts';
import { isJsonObject, jsonAt, toSpacedJson } from '../schema/call-arguments.ts';
import { jsonQuotes, next, readJsonText, readValue } from './read-values.ts';

/** Arguments as one JSON object behind the name. */
export const jsonArgumentsCodec: ArgumentsCodec<Extract<ArgumentsShape, { kind: 'json' }>> = {
  find(behindName, call) {
    const found = jsonAt(behindName, behindName.indexOf('{'));
    if (!isJsonObject(found?.value) || found.value['qz_text'] !== call.arguments.qz_text) return undefined;
    return { afterName: behindName.slice(0, found.start), end: found.end, shape: { kind: 'json' } };
  },
  *read(_, { chars, argumentsPiece }) {
    const char = yield* next(chars);
    if (char === '{') return yield* readValue(chars, jsonQuotes, argumentsPiece);
    // Nothing, null or another value in place of an object means that the call has no arguments.
    if (/["\w[-]/.test(char)) yield* readJsonText(chars);
    argumentsPiece('{}');
  },
  grammar: (_, { schema }) => jsonGrammar(schema),
  write: (_, values) => toSpacedJson(values),
};

/** Grammar text for arguments as one JSON object: their members in any order, unless the tool is strict. */
export function jsonGrammar(schema: ToolSchema): string {
  if (!schema.takesAnyOrder) return schema.whole();
  const inner = argumentsGrammar(schema, {
    separator: '"," " "?',
    argument: ({ name = '', value }) => `${gbnfLiteral(`${JSON.stringify(name)}:`)} " "? ${value()}`,
  });
  return `"{" ${inner} "}"`;
}
