import { z } from 'zod';
import type { ReasoningEffort, ReasoningRequest } from '../../engine/types.ts';
import { canReason, reasonsByDefault } from '../model/model-names.ts';
import type { NamedModel } from '../model/model-names.ts';
import { unsupported } from '../request/validate.ts';

export type ReasoningTokens = Readonly<Record<ReasoningEffort, number>>;

/** OpenAI's scale. The specification has `low`, `medium` and `high`. */
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

export type ReasoningEffortParameter = z.output<typeof reasoningEffort>;

/** The efforts that chat templates know, for those of OpenAI's scale; `none` turns reasoning off. */
const efforts = {
  none: undefined,
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
  /** The parameter `reasoning_enabled`, if the endpoint has it. */
  readonly enabled?: boolean | undefined;
  /** Most tokens of the thought, if the endpoint has that; default: by the effort. */
  readonly maxTokens?: number | undefined;
}

/**
 * How much the model shall reason; undefined for a model that cannot. `reasoning_enabled: false` and the effort `none`
 * turn reasoning off, whatever else the request says. If the request says nothing, only a `-r` id turns it on. Throws
 * unsupported_value if a model that cannot reason is asked to.
 */
export function toReasoningRequest(
  { effort: asked, effortPath, enabled, maxTokens: asksMaxTokens }: ReasoningParameters,
  named: NamedModel,
  maxTokensByEffort: ReasoningTokens,
  maxTokens: number | undefined,
): ReasoningRequest | undefined {
  const isOff = enabled === false || asked === 'none';
  const effort = asked === undefined || asked === null ? undefined : efforts[asked];
  if (!canReason(named.model)) {
    if (isOff) return undefined;
    const remedy = 'This model cannot reason: leave it out, or use another model.';
    if (enabled === true) throw unsupported(['reasoning_enabled'], remedy);
    if (effort !== undefined) throw unsupported(effortPath, remedy);
    return undefined;
  }
  const isOn = enabled === true || effort !== undefined || reasonsByDefault(named);
  if (isOff || !isOn) return { enabled: false };
  const budget = asksMaxTokens ?? maxTokensByEffort[effort ?? 'medium'];
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
