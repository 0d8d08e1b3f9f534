import type { TemplateVariables } from '../../engine/types.ts';
import { reasoningEffort, type ReasoningEffortParameter, type ReasoningSwitch } from './reasoning-request.ts';
import { anyObject, refuse } from './schema-parts.ts';

const maxVariables = 32;
const maxVariableChars = 16 * 1024;

/** `chat_template_kwargs`: variables for the chat template, by name. A null is left out. */
export const templateVariables = anyObject
  .transform((given, context): TemplateVariables => {
    const entries = Object.entries(given).filter(([, value]) => value !== null);
    if (entries.length > maxVariables) return refuse(context, `must have at most ${maxVariables} entries`);
    for (const [name, value] of entries) {
      const isText = typeof value === 'string' && value.length <= maxVariableChars;
      if (isText || typeof value === 'boolean' || Number.isFinite(value)) continue;
      return refuse(
        context,
        `must be a boolean, a number, or a text of at most ${maxVariableChars} characters`,
        { path: [name] },
      );
    }
    return Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value]),
    ) as TemplateVariables;
  })
  .meta({
    description:
      'Variables for the chat template. Those that it does not read are listed in `x-ignored-parameters`.',
    additionalProperties: { type: ['boolean', 'number', 'string', 'null'] },
  });

const switchNames = ['enable_thinking', 'thinking'];

/** The variables that ask a model to reason or not, which are understood whatever its template calls them. */
export interface ReasoningVariables {
  readonly switches: readonly ReasoningSwitch[];
  readonly effort: ReasoningEffortParameter | undefined;
  /** All others. */
  readonly variables: TemplateVariables | undefined;
}

export function sortTemplateVariables(given: TemplateVariables = {}): ReasoningVariables {
  const switches: ReasoningSwitch[] = [];
  let effort: ReasoningEffortParameter | undefined;
  const others = Object.entries(given).filter(([name, value]) => {
    if (switchNames.includes(name) && typeof value === 'boolean')
      return void switches.push({ path: ['chat_template_kwargs', name], on: value });
    const known = name === 'reasoning_effort' ? reasoningEffort.safeParse(value).data : undefined;
    effort ??= known;
    return known === undefined;
  });
  return { switches, effort, variables: others.length === 0 ? undefined : Object.fromEntries(others) };
}
