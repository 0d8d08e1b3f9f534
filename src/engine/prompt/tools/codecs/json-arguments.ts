import type { JsonObject } from '../../../types.ts';
import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import { endOfJson } from '../../text/json-scanner.ts';
import type { ArgumentsCodec } from '../call-codec.ts';
import { argumentsGrammar } from '../schema/arguments-grammar.ts';
import type { ToolSchema } from '../schema/tool-schema.ts';
import type { ArgumentsShape } from '../tool-syntax.ts';
import { present, readJson, readJsonText } from './read-json.ts';
import { toSpacedJson } from '../schema/call-arguments.ts';

/** Arguments as one JSON object behind the name. */
export const jsonArgumentsCodec: ArgumentsCodec<Extract<ArgumentsShape, { kind: 'json' }>> = {
  find(behindName, call) {
    const open = behindName.indexOf('{');
    const end = open < 0 ? undefined : endOfJson(behindName, open);
    if (end === undefined) return undefined;
    const value = JSON.parse(behindName.slice(open, end)) as JsonObject;
    if (value['qz_text'] !== call.arguments.qz_text) return undefined;
    return { afterName: behindName.slice(0, open), end, shape: { kind: 'json' } };
  },
  *read(_, { chars, argumentsPiece }) {
    yield* chars.skipSpaces();
    if ((yield* present(chars)) === '{') return yield* readJson(chars, argumentsPiece);
    // Nothing, null or another value in place of an object means that the call has no arguments.
    if (/["\w[-]/.test(yield* present(chars))) yield* readJsonText(chars);
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
