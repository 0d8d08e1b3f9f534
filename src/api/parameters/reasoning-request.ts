import { z } from 'zod';
import type { ReasoningRequest } from '../../engine/types.ts';
import { canReason, reasonsByDefault, type NamedModel } from '../model/model-names.ts';
import { unsupported } from '../request/validate.ts';

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
  /** The path of the effort in the request. */
  readonly effortPath: readonly PropertyKey[];
  /** The parameters that turn reasoning on or off, if the endpoint has such. */
  readonly switches?: readonly ReasoningSwitch[];
  /** Most tokens of the thought; default: by the effort. */
  readonly budget?: { readonly tokens: number; readonly path: readonly PropertyKey[] } | undefined;
}

/** A parameter that turns reasoning on or off. */
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
    throw unsupported(path, 'This model cannot reason: leave it out, or use another model.');
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
