import { z } from 'zod';

export const count = z.int().min(0);

const token = { token: z.string(), logprob: z.number().max(0), bytes: z.array(z.int().min(0).max(255)) };

export const outputToken = z.strictObject({ ...token, top_logprobs: z.array(z.strictObject(token)) });

export const completionHead = {
  created: count.describe('Unix seconds.'),
  model: z.string().min(1).describe('As it was asked for.'),
  system_fingerprint: z.string().startsWith('fp_'),
};

export const completionUsage = z.strictObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.strictObject({ cached_tokens: count }),
  completion_tokens_details: z.strictObject({
    reasoning_tokens: count,
    accepted_prediction_tokens: count
      .optional()
      .describe(
        'Only with a `prediction`: its tokens that the answer has and that were not computed one by one.',
      ),
    rejected_prediction_tokens: count
      .optional()
      .describe(
        'Only with a `prediction`: its tokens that were tried and that the answer does not have. They are not charged.',
      ),
  }),
});

/** The field `usage` of a chunk. */
export function chunkUsage(usage: z.ZodType) {
  return usage
    .nullable()
    .optional()
    .describe(
      'With `include_usage`: null but in the last chunk, whose `choices` are empty; with `continuous_usage_stats` in every chunk what has been computed by then.',
    );
}
