import type { Tool, ToolParameter } from '../../../conversation.ts';
import { lines } from '../../text/data.ts';
import { typeOfKind } from '../../text/values.ts';
import type { Slot } from './tool-slots.ts';
import type { Composition, Result } from './tool-trades.ts';

/** A tool together with what is needed to ask for it. */
export interface ToolPlan {
  readonly tool: Tool;
  readonly parameters: readonly PlannedParameter[];
  readonly wording: Wording;
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

/** How the tool is asked for: by its verb and noun, or in the words of a known tool or family. */
export type Wording = ComposedWording | KnownWording;

export interface ComposedWording extends Composition {
  readonly kind: 'composed';
  /** The verb in the name. */
  readonly verb: string;
}

export interface KnownWording {
  readonly kind: 'familiar' | 'family';
  readonly clauses: readonly string[];
  readonly questions: readonly string[];
}

export function makeTool(name: string, description: string, parameters: readonly PlannedParameter[]): Tool {
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ key, slot, values }): [string, ToolParameter] => [
          key,
          { type: typeOfKind(slot.kind), ...(values && { enum: values }) },
        ]),
      ),
      required: parameters.filter(({ required }) => required).map(({ key }) => key),
    },
  };
}

const sortedWords = (name: string): string =>
  (name.match(/[A-Z]?[a-z]+|\d+/gu) ?? [])
    .map((word) => word.toLowerCase())
    .toSorted()
    .join(' ');
const heldOut: ReadonlySet<string> = new Set(lines('held-out tools').map(sortedWords));

/** True where the evaluation has a tool with the words of this name, in whatever style and order. */
export const isHeldOut = ({ tool }: ToolPlan): boolean => heldOut.has(sortedWords(tool.name));
