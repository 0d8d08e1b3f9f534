import { z } from 'zod';
import { measures, windows, type Measure } from '../../accounts/plans.ts';
import type { Allowance } from '../../limits/types.ts';
import { budget } from '../admin/descriptions.ts';
import { components } from '../openapi/json-schema.ts';

const wireNames = {
  requests: 'requests',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  audioSeconds: 'audio_seconds',
} as const satisfies Record<Measure, string>;

const limit = z
  .strictObject({
    object: z.literal('limit'),
    model: z.string().min(1),
    measure: z.enum(measures.map((measure) => wireNames[measure])),
    window: z.enum(windows).meta({ description: 'The time in which all of it refills.' }),
    limit: z.number().min(0),
    remaining: z.number().meta({ description: 'Below 0 where more was used than there was.' }),
    full_in_seconds: z.int().min(0),
  })
  .register(components, { id: 'Limit' });

export const limitList = z
  .strictObject({
    object: z.literal('list'),
    data: z.array(limit),
    budgets: z.array(budget.extend({ owner: z.enum(['key', 'account']) })).meta({
      description: 'Of all models together, of the key and of its account.',
    }),
  })
  .register(components, { id: 'LimitList' });

export function toWireLimit(model: string, { measure, window, limit: all, left, fullInMs }: Allowance) {
  return {
    object: 'limit',
    model,
    measure: wireNames[measure],
    window,
    limit: all,
    remaining: left,
    full_in_seconds: Math.ceil(fullInMs / 1000),
  };
}
