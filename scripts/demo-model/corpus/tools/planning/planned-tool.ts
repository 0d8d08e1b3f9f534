import type { Tool, ToolParameter } from '../../../conversation.ts';
import { entries, type Entry, finder, lines, words } from '../../text/data.ts';
import { typeOfKind } from '../../text/values.ts';
import type { Composition, Result } from './tool-trades.ts';

/** A tool together with what is needed to ask for it. */
export interface ToolPlan {
  readonly tool: Tool;
  readonly parameters: readonly PlannedParameter[];
  readonly wording: ComposedWording | KnownWording;
  readonly results: readonly Result[];
}

export interface PlannedParameter {
  readonly key: string;
  /** How the requests of a family call it. */
  readonly role?: string;
  readonly slot: Slot;
  readonly required: boolean;
  readonly values?: readonly string[];
}

/** The tool is asked for by its verb and noun … */
export interface ComposedWording extends Composition {
  readonly kind: 'composed';
  /** The verb in the name. */
  readonly verb: string;
}

/** … or in the words of a known tool or family. */
export interface KnownWording {
  readonly kind: 'familiar' | 'family';
  readonly clauses: readonly string[];
  readonly questions: readonly string[];
}

/** One parameter of made-up tools: what it may be called, and how a question and a description say it. */
export type Slot = ReturnType<typeof readSlot>;

const readSlot = (entry: Entry) => ({
  keys: words(entry.get('keys')),
  /** The kind of its values. */
  kind: entry.get('kind'),
  /** `{}` stands for the value; it occurs literally, save for flags. */
  phrases: entry.get('phrases').split('; '),
  /** How a flag that is not wanted is said. */
  negated: entry.find('negated')?.split('; '),
  /** How the description says it. */
  described: entry.get('described'),
  enums: entry.find('one of')?.split('; ').map(words),
});

const namedSlots = entries('tool slots').map((entry) => [entry.get('slot'), readSlot(entry)] as const);
export const slots: readonly Slot[] = namedSlots.map(([, slot]) => slot);
export const slotOf = finder('slot', namedSlots);

/** The plan of a tool with this name and description. */
export function planOf(name: string, description: string, plan: Omit<ToolPlan, 'tool'>): ToolPlan {
  const properties = plan.parameters.map(({ key, slot, values }): [string, ToolParameter] => [
    key,
    { type: typeOfKind(slot.kind), ...(values && { enum: values }) },
  ]);
  const required = plan.parameters.filter((parameter) => parameter.required).map(({ key }) => key);
  const parameters = { type: 'object', properties: Object.fromEntries(properties), required } as const;
  return { tool: { name, description, parameters }, ...plan };
}

const sortedWords = (name: string): string =>
  (name.match(/[A-Z]?[a-z]+|\d+/gu) ?? [])
    .map((word) => word.toLowerCase())
    .toSorted()
    .join(' ');
const heldOut: ReadonlySet<string> = new Set(lines('held-out tools').map(sortedWords));

/** True where the evaluation has a tool with the words of this name, in whatever style and order. */
export const isHeldOut = ({ tool }: ToolPlan): boolean => heldOut.has(sortedWords(tool.name));
