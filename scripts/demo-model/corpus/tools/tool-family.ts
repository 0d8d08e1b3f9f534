import { everydayFamilies } from '../data/tool-families.ts';
import { oddFamilies } from '../data/tool-families-odd.ts';
import type { Slot } from '../data/tool-slots.ts';
import type { ValueKind } from '../text/values.ts';

/** A parameter of a family, known in its requests by its role. */
export interface FamilyParameter {
  readonly role: string;
  readonly slot: Slot;
  readonly required: boolean;
  readonly values?: readonly string[];
}

/** Tools of one purpose under many names, with requests of their own. */
export interface ToolFamily {
  /** Templates of the verb and of the noun that make the name. */
  readonly verb: string;
  readonly noun: string;
  readonly descriptions: readonly string[];
  readonly parameters: readonly FamilyParameter[];
  readonly orders: readonly string[];
  readonly questions: readonly string[];
}

export const toolFamilies: readonly ToolFamily[] = [everydayFamilies, oddFamilies].flatMap((text) =>
  text.trim().split('\n\n').map(parseFamily),
);

function parseFamily(block: string): ToolFamily {
  const [name = '', ...lines] = block.split('\n');
  const starting = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(`${mark} `)).map((line) => line.slice(2));
  const [, verb = '', noun = ''] = /^(\([^)]*\)|\w+) ?(.*)$/u.exec(name) ?? [];
  return {
    verb,
    noun,
    descriptions: starting('>'),
    parameters: lines.filter((line) => /^\w+\??: /u.test(line)).map(parseParameter),
    orders: starting('!'),
    questions: starting('?'),
  };
}

function parseParameter(line: string): FamilyParameter {
  const [, role = '', mark = '', keys = '', kind = ''] = /^(\w+)(\??): (\S+) = (\S+)$/u.exec(line) ?? [];
  if (role === '') throw new Error(`no parameter: ${line}`);
  const values = kind.includes('/') ? kind.split('/') : undefined;
  return {
    role,
    required: mark === '',
    slot: {
      keys: keys.split('|'),
      kind: values === undefined ? (kind as ValueKind) : 'word',
      described: '',
      phrases: ['with {key} {}'],
    },
    ...(values && { values }),
  };
}

/** The roles that a request or a template names. */
export const rolesIn = (template: string): string[] =>
  [...template.matchAll(/\{(\w+)\}/gu)].map(([, role = '']) => role);
