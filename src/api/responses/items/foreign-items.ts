import { nearestName } from '../../../words/nearest-names.ts';

/** An item of a kind that this server does not have, which says nothing in the conversation. */
export interface IgnoredItem {
  readonly type: 'ignored';
  readonly kind: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Types of items are short words. */
const kindPattern = /^[\w.:-]{1,64}$/;

/**
 * `item`, whose type is none of `types`, as an item that this server has. A call that another vendor's client answered,
 * such as shell_call, becomes a function call with its result. Another item, such as the search of a hosted tool or a
 * picture of a computer, is ignored. undefined: the type is a near miss of one of `types`, or none at all.
 */
export function readForeignItem(item: Fields, types: readonly string[]): Fields | IgnoredItem | undefined {
  const { type: kind, call_id: callId, output, id } = item;
  if (typeof kind !== 'string' || !kindPattern.test(kind)) return undefined;
  if (nearestName(kind, types) !== undefined) return undefined;
  const call = /^(?!computer)(\w+)_call(_output)?$/.exec(kind);
  if (call === null || typeof callId !== 'string' || callId === '') return { type: 'ignored', kind };
  const [, name, result] = call;
  const same = { call_id: callId, ...(typeof id === 'string' && { id }) };
  if (result !== undefined) return { type: 'function_call_output', ...same, output: toText(output) };
  return { type: 'function_call', ...same, name, arguments: toText(saidBy(item)) };
}

/** The fields of `item` that say what the call does, such as `action`. */
function saidBy(item: Fields): Fields {
  const apart = new Set(['type', 'id', 'call_id', 'status', 'created_by', 'environment']);
  return Object.fromEntries(
    Object.entries(item).filter(([name, value]) => !apart.has(name) && value !== null),
  );
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
