import type { JsonObject, JsonValue, ToolCall } from '../../types.ts';
import { isJsonArray, itemKey, parseArguments } from './call-arguments.ts';
import { typeOf } from './argument-types.ts';
import {
  cdata,
  endOf,
  keyEndOf,
  type ArgumentsShape,
  type CallBody,
  type JsonMember,
  type ParametersShape,
  type SyntaxPiece,
  type ToolSyntax,
} from './tool-syntax.ts';

/** The text that a model would have had to generate for `calls`, one after the other. */
export function writeToolCalls(syntax: ToolSyntax, calls: readonly ToolCall[]): string {
  const { section, call, separator } = syntax;
  const written = calls.map((item, index) => call.begin + writeBody(syntax.body, item, index) + call.end);
  return section.begin.trimStart() + written.join(separator) + section.end;
}

function writeBody(body: CallBody, call: ToolCall, index: number): string {
  const values = parseArguments(call.arguments);
  if (body.kind === 'json') return writeMembers(body.members, call, values, index);
  const write = (pieces: readonly SyntaxPiece[] = []) =>
    pieces.map((piece) => writePiece(piece, call, index)).join('');
  return write(body.beforeName) + call.name + write(body.afterName) + writeArguments(body.arguments, values);
}

function writeMembers(
  members: readonly JsonMember[],
  call: ToolCall,
  values: JsonObject,
  index: number,
): string {
  const written = members.map(
    (member) => `${JSON.stringify(member.key)}: ${writeMember(member, call, values, index)}`,
  );
  return `{${written.join(', ')}}`;
}

function writeMember(member: JsonMember, call: ToolCall, values: JsonObject, index: number): string {
  switch (member.holds) {
    case 'name':
      return JSON.stringify(call.name);
    case 'arguments':
      return toSpacedJson(values);
    case 'id':
      return JSON.stringify(call.id);
    case 'index-text':
      return `"${index}"`;
    case 'index-number':
      return String(index);
    case 'constant':
      return JSON.stringify(member.text);
    case 'members':
      return writeMembers(member.members, call, values, index);
  }
}

function writePiece(piece: SyntaxPiece, call: ToolCall, index: number): string {
  if (typeof piece === 'string') return piece;
  if (piece.kind === 'index') return String(piece.from + index);
  return piece.kind === 'id' ? call.id : call.name;
}

function writeArguments(shape: ArgumentsShape, values: JsonObject): string {
  const entries = Object.entries(values);
  switch (shape.kind) {
    case 'json':
      return toSpacedJson(values);
    case 'parameters':
      return writeParameters(shape, entries);
    case 'pythonic':
      return `(${entries.map(([key, value]) => `${key}=${toPython(value)}`).join(', ')})`;
    case 'bare-keys':
      return toBareKeys(values, shape.quote, true);
  }
}

const writeParameters = (shape: ParametersShape, entries: readonly (readonly [string, JsonValue])[]) =>
  entries
    .map(
      ([key, value]) =>
        shape.begin + key + keyEndOf(shape, typeOf(value)) + writeValue(shape, value) + endOf(shape, key),
    )
    .join(shape.separator);

function writeValue(shape: ParametersShape, value: JsonValue): string {
  if (typeof value === 'string' && shape.strings === 'raw') return inCdata(value, shape.cdata);
  if (shape.nested !== true || typeof value !== 'object' || value === null) return toSpacedJson(value);
  const entries = isJsonArray(value) ? value.map((item) => [itemKey, item] as const) : Object.entries(value);
  return writeParameters(shape, entries);
}

const inCdata = (text: string, taken: true | undefined) =>
  taken && /[<&\n]/.test(text) ? `${cdata.begin}${text}${cdata.end}` : text;

/** JSON with a space after each comma and colon: Python writes it so, and models have learned from that. */
export function toSpacedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(toSpacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toSpacedJson(item)}`);
  return `{${members.join(', ')}}`;
}

function toPython(value: JsonValue): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(toPython).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${toPython(item)}`);
  return `{${members.join(', ')}}`;
}

function toBareKeys(value: JsonValue, quote: string, outermost = false): string {
  if (typeof value === 'string') return quote + value + quote;
  if (Array.isArray(value))
    return `[${(value as readonly JsonValue[]).map((item) => toBareKeys(item, quote)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) =>
      `${outermost || /^[\w$][\w$.-]*$/.test(key) ? key : quote + key + quote}:${toBareKeys(item, quote)}`,
  );
  return `{${members.join(',')}}`;
}
