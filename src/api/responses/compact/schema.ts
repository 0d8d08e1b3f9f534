import { z } from 'zod';
import { namedObject } from '../../openapi/json-schema.ts';
import { createParameterParser } from '../../request/validate.ts';
import { compactedItem } from '../items/items.ts';
import { responseUsage } from '../response-schema.ts';
import { inputTokensSchema, responseSchema, withIgnoredKinds } from '../schema.ts';

/** The conversation to compact. The other parameters are sent by OpenAI's own clients and have no effect here. */
export const compactSchema = inputTokensSchema
  .pick({ model: true, input: true, instructions: true, previous_response_id: true })
  .extend(
    responseSchema.pick({
      prompt_cache_key: true,
      service_tier: true,
      prompt_cache_options: true,
      prompt_cache_retention: true,
    }).shape,
  );

export const parseCompact = withIgnoredKinds(createParameterParser(compactSchema));

export const compactedResponse = namedObject('CompactedResponse', {
  id: z.string().startsWith('resp_'),
  object: z.literal('response.compaction'),
  created_at: z.int().min(0).describe('Unix seconds.'),
  output: z
    .array(compactedItem)
    .describe('The messages of users and a summary of everything: to be sent back as the next input.'),
  usage: responseUsage,
});

export type CompactedResponse = z.output<typeof compactedResponse>;
