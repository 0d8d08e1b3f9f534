import { z } from 'zod';
import type { ReasoningEffort, ReasoningRequest } from '../../engine/types.ts';
import { canReason, reasonsByDefault } from '../model/model-names.ts';
import type { NamedModel } from '../model/model-names.ts';
import { unsupported } from '../request/validate.ts';

export type ReasoningTokens = Readonly<Record<ReasoningEffort, number>>;

/** OpenAI's scale, of which the specification has the middle three. */
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

export type ReasoningEffortParameter = z.output<typeof reasoningEffort>;

/** OpenAI's scale on the one that templates know; `none` turns reasoning off. */
const efforts = {
  none: undefined,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const;

/** Of the request's maximum, at most so many tokens (and at most half) are kept for the answer after the thought. */
const mostAnswerTokensKept = 512;

export interface ReasoningParameters {
  readonly effort?: ReasoningEffortParameter | null | undefined;
  /** Where the endpoint has the effort. */
  readonly effortPath: readonly PropertyKey[];
  /** Parameter `reasoning_enabled`, where the endpoint has it. */
  readonly enabled?: boolean | undefined;
}

/**
 * How much the model is to think; undefined for a model that cannot. What turns it off, `reasoning_enabled: false`
 * or the effort `none`, wins over what turns it on; a request that does neither thinks only under a `-r` id.
 * Throws unsupported_value where a model that cannot reason is asked to.
 */
export function toReasoningRequest(
  { effort: asked, effortPath, enabled }: ReasoningParameters,
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
  const budget = maxTokensByEffort[effort ?? 'medium'];
  return {
    enabled: true,
    ...(effort !== undefined && { effort }),
    maxTokens: leaveRoom(budget, maxTokens),
  };
}

/** `budget`, or less where the thought would leave no tokens for an answer. */
function leaveRoom(budget: number, maxTokens: number | undefined): number {
  if (maxTokens === undefined) return budget;
  const kept = Math.min(mostAnswerTokensKept, Math.floor(maxTokens / 2));
  return Math.min(budget, maxTokens - kept);
}
