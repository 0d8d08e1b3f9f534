import type { JsonValue } from '../../../types.ts';
import { isJsonObject } from '../call-arguments.ts';
import { endOfJson } from '../../text/json-scanner.ts';
import type { RenderedCalls } from '../../probe/rendered-calls.ts';
import { splitTurn } from './split-turn.ts';
import { probeCalls, type ProbeCall } from '../../probe/template-probe.ts';
import type { CallLayout, JsonMember } from '../tool-syntax.ts';

interface FoundJson {
  readonly start: number;
  readonly end: number;
  readonly value: JsonValue;
}

/** The layout of calls that are JSON objects with the tool's name inside; undefined when the calls are not. */
export function deriveJsonCalls(rendered: RenderedCalls): CallLayout | undefined {
  const [first, second] = probeCalls;
  const turn = rendered.two ?? rendered.one;
  const root = findJson(turn, first.name, 0);
  if (!root) return undefined;
  const parallel = rendered.two !== undefined;
  if (Array.isArray(root.value)) {
    const items = root.value as readonly JsonValue[];
    const members = membersOf(items[0], first, 0);
    if (!members || (parallel && !membersOf(items[1], second, 1))) return undefined;
    const section = { begin: `${turn.slice(0, root.start)}[`, end: `]${turn.slice(root.end)}` };
    return {
      section,
      call: { begin: '', end: '' },
      separator: ', ',
      body: { kind: 'json', members },
      parallel,
    };
  }
  const members = membersOf(root.value, first, 0);
  if (!members) return undefined;
  const next = parallel ? findJson(turn, second.name, root.end) : undefined;
  if (parallel && !next) return undefined;
  return { ...splitTurn(turn, root, next), body: { kind: 'json', members }, parallel };
}

/** The outermost JSON value at or after `from` that holds `name`. */
function findJson(text: string, name: string, from: number): FoundJson | undefined {
  const nameAt = text.indexOf(name, from);
  for (let start = from; start < nameAt; start++) {
    if (text[start] !== '{' && text[start] !== '[') continue;
    const end = endOfJson(text, start);
    if (end !== undefined && end > nameAt)
      return { start, end, value: JSON.parse(text.slice(start, end)) as JsonValue };
  }
  return undefined;
}

/** The roles of the members of `value`; undefined unless that is a name, arguments and perhaps an id or an index. */
function membersOf(value: JsonValue | undefined, call: ProbeCall, index: number): JsonMember[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const members: JsonMember[] = [];
  for (const [key, member] of Object.entries(value)) {
    const found = memberOf(key, member, call, index);
    if (found === undefined) return undefined;
    members.push(found);
  }
  return holds(members, 'name') && holds(members, 'arguments') ? members : undefined;
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
  // The parser looks for a nested object with name and arguments under this key only.
  const members = key === 'function' ? membersOf(value, call, index) : undefined;
  return members && { key, holds: 'members', members };
}
