import { z } from 'zod';

/** What OpenAI's clients and those of local servers send for accounting and routing; without effect here. */
export const quietParameters = {
  user: z.string().optional(),
  metadata: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
  // Prompts are always taken from the cache where they can be.
  cache_prompt: z.unknown().optional(),
};
