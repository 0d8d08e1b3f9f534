import { z } from 'zod';
import type { ReasoningRequest, TemplateVariables } from '../../engine/types.ts';
import { canReason, reasonsByDefault, type NamedModel } from '../model/model-names.ts';
import { unsupported } from '../request/validate.ts';
import { anyObject, refuse } from './schema-parts.ts';

export type ReasoningTokens = Readonly<Record<'low' | 'medium' | 'high', number>>;

/** OpenAI's scale. The specification has `low`, `medium` and `high`. */
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** The lengths of a thought's summary for which OpenAI's clients ask. */
export const reasoningSummary = z.enum(['auto', 'concise', 'detailed']);

export type ReasoningEffortParameter = z.output<typeof reasoningEffort>;

/** The efforts by whose tokens others are measured. */
const measures = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const;

/** Most tokens of the request's maximum that are reserved for the answer; never more than half of it. */
const mostAnswerTokensKept = 512;

export interface ReasoningParameters {
  readonly effort?: ReasoningEffortParameter | null | undefined;
  readonly effortPath: readonly PropertyKey[];
  /** The parameters that turn reasoning on or off, if the endpoint has such. */
  readonly switches?: readonly ReasoningSwitch[];
  /** Most tokens of the thought; default: by the effort. */
  readonly budget?: { readonly tokens: number; readonly path: readonly PropertyKey[] } | undefined;
}

export interface ReasoningSwitch {
  readonly path: readonly PropertyKey[];
  /** undefined: the request does not have it. */
  readonly on: boolean | undefined;
}

/**
 * How much the model shall reason; undefined for a model that cannot. A switch that is off and the effort `none` turn
 * reasoning off, whatever else the request says. If the request says nothing, only a `-r` id turns it on. Throws
 * unsupported_value if a model that cannot reason is asked to.
 */
export function toReasoningRequest(
  { effort: asked, effortPath, switches = [], budget: asksTokens }: ReasoningParameters,
  named: NamedModel,
  maxTokensByEffort: ReasoningTokens,
  maxTokens: number | undefined,
): ReasoningRequest | undefined {
  const isOff = switches.some(({ on }) => on === false) || asked === 'none';
  const turnedOn = switches.find(({ on }) => on === true);
  const effort = asked === undefined || asked === null || asked === 'none' ? undefined : asked;
  if (!canReason(named.model)) {
    if (isOff) return undefined;
    const path = turnedOn?.path ?? (effort === undefined ? asksTokens?.path : effortPath);
    if (path === undefined) return undefined;
    const others = named.others?.(canReason) || 'another model';
    throw unsupported(path, `This model cannot reason: leave it out, or use ${others}.`);
  }
  const isAsked = turnedOn !== undefined || effort !== undefined || asksTokens !== undefined;
  if (isOff || (!isAsked && !reasonsByDefault(named))) return { enabled: false };
  const budget = asksTokens?.tokens ?? maxTokensByEffort[measures[effort ?? 'medium']];
  return {
    enabled: true,
    ...(effort !== undefined && { effort }),
    maxTokens: leaveRoom(budget, maxTokens),
  };
}

/** `budget`, reduced so that tokens remain for the answer. */
function leaveRoom(budget: number, maxTokens: number | undefined): number {
  if (maxTokens === undefined) return budget;
  const kept = Math.min(mostAnswerTokensKept, Math.floor(maxTokens / 2));
  return Math.min(budget, maxTokens - kept);
}

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
interface ReasoningVariables {
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
