import type { ToolParameter } from '../../conversation.ts';
import type { Choices } from './choices.ts';
import { hasSection, lines } from './data.ts';
import { draw } from './forms.ts';

export type Value = string | number | boolean;

const integerKinds = lines('integer kinds');
const numberKinds = lines('number kinds');
const recordNumberKinds = lines('record number kinds');

/** A value of this kind, such as "city", for a parameter or a result of a tool. */
export function writeValue(choices: Choices, kind: string): Value {
  const text = draw(choices, `kind ${kind}`);
  const type = typeOfKind(kind);
  if (type === 'boolean') return text === 'true';
  return type === 'string' ? text : Number(text);
}

/** A value of this kind for a record: names, titles and products are drawn as widely as people have them. */
export function writeRecordValue(choices: Choices, kind: string): Value {
  if (!hasSection(`record ${kind}`)) return writeValue(choices, kind);
  const text = draw(choices, `record ${kind}`);
  return recordNumberKinds.includes(kind) ? Number(text) : text;
}

/** The type of the values of this kind that `writeValue` gives. */
export function typeOfKind(kind: string): ToolParameter['type'] {
  if (kind === 'flag') return 'boolean';
  if (numberKinds.includes(kind)) return 'number';
  return integerKinds.includes(kind) ? 'integer' : 'string';
}
