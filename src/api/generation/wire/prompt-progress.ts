import { z } from 'zod';
import type { ProgressEvent } from '../../../engine/generation/generation.ts';
import type { PromptProgress } from '../../../timing/prompt-clock.ts';
import type { AppContext } from '../../env.ts';
import type { NamedModel } from '../../model/model-names.ts';
import { nameIgnored } from '../../request/read-parameters.ts';
import { count } from './completion-schema.ts';

export const returnProgress = z
  .boolean()
  .optional()
  .describe(
    'A stream tells in `prompt_progress`, before its first token, how much of the prompt is computed. Ignored without a stream, and where another server computes.',
  );

export const promptProgress = z
  .strictObject({ total: count, cache: count, processed: count, time_ms: count })
  .optional()
  .describe('Tokens of the prompt; processed: those cached or computed. Only with `return_progress`.');

/** As llama-server has it. */
export const toPromptProgress = ({
  promptTokens,
  cachedTokens,
  processedTokens,
  elapsedMs,
}: ProgressEvent): PromptProgress => ({
  total: promptTokens,
  cache: cachedTokens,
  processed: processedTokens,
  time_ms: Math.round(elapsedMs),
});

/** Whether the engine shall tell how far the prompt is; undefined: no. A header names the parameter where it is no use. */
export function wantsProgress(
  c: AppContext,
  asked: { readonly stream?: boolean | undefined; readonly return_progress?: boolean | undefined },
  { model }: NamedModel,
): true | undefined {
  if (asked.return_progress !== true) return undefined;
  if (asked.stream === true && model.upstream === undefined) return true;
  nameIgnored(c, ['return_progress']);
  return undefined;
}
