import type { Tool, ToolParameter } from '../../../conversation.ts';
import { lines } from '../../text/data.ts';
import { typeOfKind } from '../../text/values.ts';
import type { PlannedParameter } from './parameters.ts';
import type { Composition, Result } from './tool-trades.ts';

/** A tool together with the words to ask for it. */
export interface ToolPlan {
  readonly tool: Tool;
  readonly parameters: readonly PlannedParameter[];
  readonly wording: ComposedWording | KnownWording;
  readonly results: readonly Result[];
}

/** The tool is asked for by its verb and noun … */
export interface ComposedWording extends Composition {
  readonly kind: 'composed';
  /** The verb in the name. */
  readonly verb: string;
}

/** … or in the words of a known tool or family. */
interface KnownWording {
  readonly kind: 'familiar' | 'family';
  readonly clauses: readonly string[];
  readonly questions: readonly string[];
}

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
