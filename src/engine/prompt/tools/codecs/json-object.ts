import type { JsonObject, JsonValue, ToolCall } from '../../../types.ts';
import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { RenderedCalls } from '../../probe/rendered-calls.ts';
import { probeCalls, type ProbeCall } from '../../probe/template-probe.ts';
import type { Reading } from '../../text/char-stream.ts';
import { NoCall, type CallCodec, type CallReading } from '../call-codec.ts';
import { isJsonArray, isJsonObject, jsonAt, parseArguments, toSpacedJson } from '../schema/call-arguments.ts';
import { noTexts, type CallLayout, type JsonBody, type JsonMember } from '../tool-syntax.ts';
import { splitTurn } from './split-turn.ts';
import { jsonGrammar } from './json-arguments.ts';
import { jsonQuotes, next, reachItem, readJsonText, readKey, readValue, take } from './read-values.ts';

/** Calls that are one JSON object each, with the tool's name inside. */
export const jsonObjectCodec: CallCodec<JsonBody> = {
  derive,
  *read(_, reading) {
    const state: ReadMembers = { name: undefined, early: undefined, hasArguments: false };
    yield* readMembers(reading, state, 0);
    if (state.name === undefined) throw new NoCall();
    if (!state.hasArguments) reading.argumentsPiece('{}');
  },
  grammar: ({ members }, { name, schema }) => membersPattern(members, name, jsonGrammar(schema)),
  write: ({ members }, call, index) => writeMembers(members, call, parseArguments(call.arguments), index),
};

function derive(rendered: RenderedCalls): CallLayout | undefined {
  const [first, second] = probeCalls;
  const turn = rendered.two ?? rendered.one;
  const root = findJson(turn, first.name, 0);
  if (!root) return undefined;
  const parallel = rendered.two !== undefined;
  if (isJsonArray(root.value)) {
    const members = membersOf(root.value[0], first, 0);
    if (!members || (parallel && !membersOf(root.value[1], second, 1))) return undefined;
    const section = { begin: `${turn.slice(0, root.start)}[`, end: `]${turn.slice(root.end)}` };
    return { section, call: noTexts, separator: ', ', body: { kind: 'json', members }, parallel };
  }
  const members = membersOf(root.value, first, 0);
  const following = parallel ? findJson(turn, second.name, root.end) : undefined;
  if (!members || (parallel && !following)) return undefined;
  return { ...splitTurn(turn, root, following), body: { kind: 'json', members }, parallel };
}

/** The outermost JSON value at or after `from` that holds `name`. */
function findJson(text: string, name: string, from: number) {
  const nameAt = text.indexOf(name, from);
  for (let start = from; start < nameAt; start++) {
    const found = /[{[]/.test(text.charAt(start)) ? jsonAt(text, start) : undefined;
    if (found !== undefined && found.end > nameAt) return found;
  }
  return undefined;
}

/** The roles of the members of `value`; undefined unless that is a name, arguments and perhaps an id or an index. */
function membersOf(value: JsonValue | undefined, call: ProbeCall, index: number): JsonMember[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).map(([key, member]) => memberOf(key, member, call, index));
  const known = members.filter((member) => member !== undefined);
  const isWhole = known.length === members.length && holds(known, 'name') && holds(known, 'arguments');
  return isWhole ? known : undefined;
}

const holds = (members: readonly JsonMember[], what: JsonMember['holds']): boolean =>
  members.some(
    (member) => member.holds === what || (member.holds === 'members' && holds(member.members, what)),
  );

function memberOf(key: string, value: JsonValue, call: ProbeCall, index: number): JsonMember | undefined {
  if (value === call.name) return { key, holds: 'name' };
  if (value === call.id) return { key, holds: 'id' };
  if (value === String(index)) return { key, holds: 'index-text' };
  if (value === index) return { key, holds: 'index-number' };
  if (value === 'function') return { key, holds: 'constant', text: value };
  if (!isJsonObject(value)) return undefined;
  if ('qz_text' in value) return { key, holds: 'arguments' };
  const members = key === wrapperKey ? membersOf(value, call, index) : undefined;
  return members && { key, holds: 'members', members };
}

/** The keys of the arguments and of the name: models sometimes use the keys of other families. */
const argumentKeys = new Set(['arguments', 'parameters', 'args', 'input', 'params']);
const nameKeys = new Set(['name', 'tool_name', 'function_name']);
/** The key of a member that holds name and arguments, as in OpenAI's shape. */
const wrapperKey = 'function';

interface ReadMembers {
  name: string | undefined;
  /** Arguments that came before the name. */
  early: string | undefined;
  hasArguments: boolean;
}

/** Reads an object. Its members may come in any order; others are ignored. */
function* readMembers(reading: CallReading, state: ReadMembers, depth: number): Reading<void> {
  const { chars } = reading;
  yield* take(chars, '{');
  while (yield* reachItem(chars, '}')) {
    const key = yield* readKey(chars, jsonQuotes, ':');
    yield* take(chars, ':');
    const opens = (yield* next(chars)) === '{';
    if (argumentKeys.has(key) && !state.hasArguments) yield* readArguments(reading, state, opens);
    else if (depth === 0 && key === wrapperKey && opens) yield* readMembers(reading, state, depth + 1);
    else noteName(reading, state, key, yield* readJsonText(chars));
  }
}

function noteName(reading: CallReading, state: ReadMembers, key: string, json: string): void {
  const isName = nameKeys.has(key) || key === wrapperKey;
  if (!isName || state.name !== undefined || !json.startsWith('"')) return;
  state.name = JSON.parse(json) as string;
  reading.begin(state.name);
  if (state.early !== undefined) reading.argumentsPiece(state.early);
}

function* readArguments(reading: CallReading, state: ReadMembers, opens: boolean): Reading<void> {
  state.hasArguments = true;
  if (opens && state.name !== undefined)
    return yield* readValue(reading.chars, jsonQuotes, (piece) => reading.argumentsPiece(piece));
  const text = yield* readJsonText(reading.chars);
  const json = text.startsWith('{') ? text : argumentsFromValue(text);
  if (state.name === undefined) state.early = json;
  else reading.argumentsPiece(json);
}

/** Arguments that are not written as an object: a string may hold their JSON; any other value counts as none. */
function argumentsFromValue(text: string): string {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? JSON.stringify(parseArguments(value)) : '{}';
}

const membersPattern = (members: readonly JsonMember[], name: string, values: string): string =>
  `"{" " "? ${members.map((member) => memberPattern(member, name, values)).join(' "," " "? ')} " "? "}"`;

/** The id in a JSON call. Nobody reads it, but it is short: a call without a marker is recognised only after its id. */
const idPattern = '[-a-zA-Z0-9_]{1,64}';
const indexPattern = '[0-9]{1,3}';

function memberPattern(member: JsonMember, name: string, values: string): string {
  const patterns = {
    name: () => gbnfLiteral(JSON.stringify(name)),
    arguments: () => values,
    id: () => `"\\"" ${idPattern} "\\""`,
    'index-text': () => `"\\"" ${indexPattern} "\\""`,
    'index-number': () => indexPattern,
  };
  const key = `${gbnfLiteral(`${JSON.stringify(member.key)}:`)} " "?`;
  if (member.holds === 'constant') return `${key} ${gbnfLiteral(JSON.stringify(member.text))}`;
  if (member.holds === 'members') return `${key} ${membersPattern(member.members, name, values)}`;
  return `${key} ${patterns[member.holds]()}`;
}

function writeMembers(
  members: readonly JsonMember[],
  call: ToolCall,
  values: JsonObject,
  index: number,
): string {
  const texts = { name: call.name, id: call.id, 'index-text': String(index), 'index-number': index };
  const written = members.map((member) => {
    const key = `${JSON.stringify(member.key)}: `;
    if (member.holds === 'members') return key + writeMembers(member.members, call, values, index);
    if (member.holds === 'arguments') return key + toSpacedJson(values);
    return key + JSON.stringify(member.holds === 'constant' ? member.text : texts[member.holds]);
  });
  return `{${written.join(', ')}}`;
}
