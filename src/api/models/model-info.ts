import { z } from 'zod';
import { can } from '../../model-kinds.ts';
import type { AppDeps } from '../env.ts';
import { type NamedModel, contextTokensOf } from '../model/model-names.ts';

const tokens = z.int().min(1).nullable();

export const modelInfo = z.strictObject({
  type: z.literal('model'),
  id: z.string().min(1),
  display_name: z.string().min(1),
  created_at: z.iso.datetime(),
  max_input_tokens: tokens,
  max_tokens: tokens,
  capabilities: z.null(),
  lifecycle: z.literal('active'),
  deprecated_at: z.null(),
  line: z.null(),
});

export const modelInfoPage = z.strictObject({
  data: z.array(modelInfo),
  has_more: z.literal(false),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

export function toModelInfo(named: NamedModel, models: AppDeps['models']): z.output<typeof modelInfo> {
  const { name, model } = named;
  const contextTokens = contextTokensOf(model, models) ?? null;
  return {
    type: 'model',
    id: name,
    display_name: name,
    created_at: new Date(model.createdAtSeconds * 1000).toISOString(),
    max_input_tokens: contextTokens,
    max_tokens: contextTokens,
    capabilities: null,
    lifecycle: 'active',
    deprecated_at: null,
    line: null,
  };
}

/** Those of `listed` that can write, as the only page of Anthropic's list. */
export function toModelInfoPage(
  listed: readonly NamedModel[],
  models: AppDeps['models'],
): z.output<typeof modelInfoPage> {
  const data = listed
    .filter(({ model }) => can(model, 'generate'))
    .map((named) => toModelInfo(named, models));
  return { data, has_more: false, first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
