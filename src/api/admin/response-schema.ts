import { z } from 'zod';
import { windows } from '../../accounts/plans.ts';
import { modelKindNames } from '../../model-kinds.ts';
import { usageGroupings, usageSteps } from '../../limits/usage.ts';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';

const count = z.int().min(0);
const time = count.meta({ description: 'Unix seconds.' });

const listOf = <Item extends z.ZodType>(item: Item) => ({ object: z.literal('list'), data: z.array(item) });

export const account = z
  .strictObject({
    id: z.string().startsWith('acct_'),
    object: z.literal('account'),
    name: z.string().min(1),
    plan: z.string().min(1),
    plan_in_force: z.string().min(1).meta({ description: 'Another one than `plan` when a trial has ended.' }),
    created_at: time,
    trial_ends_at: time.nullable(),
  })
  .register(components, { id: 'Account' });

export const removedAccount = z
  .strictObject({
    id: z.string().startsWith('acct_'),
    object: z.literal('account'),
    name: z.string().min(1),
    deleted: z.literal(true),
    revoked_keys: count,
    deleted_responses: count,
  })
  .register(components, { id: 'RemovedAccount' });

export const accountList = z.strictObject(listOf(account)).register(components, { id: 'AccountList' });

export const apiKey = z
  .strictObject({
    id: z.string().startsWith('key_'),
    object: z.literal('api_key'),
    account_id: z.string().min(1),
    account_name: z.string().min(1),
    name: z.string(),
    kind: z.enum(['user', 'admin']),
    redacted_value: z.string().min(1),
    state: z.enum(['active', 'expired', 'revoked']),
    models: z.array(z.string()).min(1).nullable().meta({ description: 'null: all.' }),
    created_at: time,
    last_used_at: time.nullable(),
    expires_at: time.nullable(),
    revoked_at: time.nullable(),
  })
  .register(components, { id: 'ApiKey' });

export const createdApiKey = apiKey
  .extend({ value: z.string().startsWith('hk-').meta({ description: 'The secret, shown this once.' }) })
  .register(components, { id: 'CreatedApiKey' });

export const apiKeyList = z.strictObject(listOf(apiKey)).register(components, { id: 'ApiKeyList' });

const windowLimits = z.strictObject(
  Object.fromEntries(windows.map((window) => [window, z.number().min(0).optional()])),
);

const limits = z
  .strictObject({
    requests: windowLimits.nullable(),
    input_tokens: windowLimits.nullable(),
    output_tokens: windowLimits.nullable(),
    audio_seconds: windowLimits.nullable(),
  })
  .meta({ description: 'Most that may be used per window; null: no limit.' })
  .register(components, { id: 'Limits' });

const plan = z
  .strictObject({
    object: z.literal('plan'),
    name: z.string().min(1),
    days: z.number().min(0).nullable().meta({ description: "From an account's creation on; null: no end." }),
    limits,
    models: z
      .record(z.string(), z.strictObject({ limits }))
      .meta({ description: 'Limits that replace the others for the model that they are named by.' }),
  })
  .register(components, { id: 'Plan' });

export const planList = z.strictObject(listOf(plan)).register(components, { id: 'PlanList' });

const usage = z
  .strictObject({
    object: z.literal('usage'),
    start: time.nullable().meta({ description: 'When the period begins; null without `step`.' }),
    group: z.string().min(1).meta({ description: 'The id of an account, key or model, or a UTC day.' }),
    label: z.string().meta({ description: 'The same for people.' }),
    requests: count,
    refunded_requests: count,
    prompt_tokens: count,
    cached_tokens: count,
    completion_tokens: count,
    audio_seconds: z.number().min(0),
  })
  .register(components, { id: 'Usage' });

export const usageList = z
  .strictObject({
    ...listOf(usage),
    by: z.enum(usageGroupings),
    step: z.enum(usageSteps).nullable(),
    since: z.int().nullable().meta({ description: 'Unix seconds; null: all that is kept.' }),
    until: z.int().nullable().meta({ description: 'Unix seconds; null: now.' }),
  })
  .register(components, { id: 'UsageList' });

const memoryUse = z
  .strictObject({ ram_bytes: count, vram_bytes: count })
  .register(components, { id: 'MemoryUse' });

const modelAddress = z
  .strictObject({
    url: z.string().min(1),
    state: z.enum(['up', 'down', 'unknown']),
    in_flight: count.meta({ description: 'Requests that it is answering.' }),
    requests: count.meta({ description: 'Requests that it has begun to answer.' }),
    errors: count.meta({ description: 'Requests that failed there.' }),
    latency_ms: count
      .nullable()
      .meta({ description: 'Until the first byte of an answer, a moving average.' }),
    reason: z.string().nullable().meta({ description: 'Why it is down.' }),
  })
  .register(components, { id: 'ModelAddress' });

export const modelStatus = z
  .strictObject({
    id: z.string().min(1),
    object: z.literal('model_status'),
    kind: z.enum(modelKindNames),
    state: z.enum(['available', 'loading', 'loaded', 'unloading', 'failed']),
    memory: memoryUse.nullable().meta({ description: 'What it holds; null: it is not in memory.' }),
    context_window: count
      .nullable()
      .meta({ description: 'Tokens of prompt and answer together, as loaded.' }),
    parallel: count.nullable().meta({ description: 'Requests that are computed together.' }),
    requests: count.meta({ description: 'That use it or wait for it.' }),
    busy: count.meta({ description: 'Of `parallel`, those that are being computed.' }),
    waiting: count.meta({ description: 'Requests that wait for their turn.' }),
    last_used_at: time.nullable(),
    unloads_at: time.nullable().meta({ description: 'Unix seconds; null: it stays until room is needed.' }),
    error: z.string().nullable().meta({ description: 'Why it could not be loaded, or cannot serve now.' }),
    addresses: z
      .array(modelAddress)
      .nullable()
      .meta({ description: 'The servers that run it; null: it runs here, or is not open.' }),
    pid: count.nullable().meta({
      description: "The process that it runs in; null: hearth's own, or it is not in memory.",
    }),
    deletable: z.boolean().meta({
      description: "Whether DELETE deletes its files: they were pulled. Other files are not hearth's.",
    }),
  })
  .register(components, { id: 'ModelStatus' });

export const modelStatusList = z
  .strictObject({
    ...listOf(modelStatus),
    memory: z
      .strictObject({ budget: memoryUse, used: memoryUse })
      .meta({ description: 'What models may take together, and what those in memory take.' }),
  })
  .register(components, { id: 'ModelStatusList' });

export const deletedModel = z
  .strictObject({ id: z.string().min(1), object: z.literal('model'), deleted: z.literal(true) })
  .register(components, { id: 'DeletedModel' });

const suggestion = z
  .strictObject({
    id: z.string().min(1),
    object: z.literal('model_suggestion'),
    kind: z.enum(['chat', 'code', 'vision', 'embedding', 'speech']),
    source: z.string().min(1),
    size_bytes: count,
    memory_bytes: count,
    licence: z.string().min(1),
    good_for: z.string().min(1),
    fits: z.boolean().meta({ description: 'It leaves enough memory for other programs.' }),
    best: z.boolean().meta({ description: 'The chat model that suits this machine best.' }),
    tokens_per_second: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'An estimate for one conversation.' }),
  })
  .register(components, { id: 'ModelSuggestion' });

export const suggestionList = z
  .strictObject(listOf(suggestion))
  .register(components, { id: 'ModelSuggestionList' });

const endedRequest = z.strictObject({
  ended_at: time,
  route: z.string().nullable().meta({ description: 'As documented; null: there is no such route.' }),
  status: z.int().min(100).max(599),
  duration_ms: count,
  model: z.string().nullable(),
  key_id: z.string().nullable(),
  error_code: z.string().nullable(),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
  time_to_first_token_ms: z.number().min(0).nullable(),
});

/** The data of an event of the server. */
export const serverEvent = z
  .union([
    z.strictObject({
      object: z.literal('server_event'),
      type: z.literal('models'),
      data: z.array(modelStatus),
      memory: z.strictObject({ budget: memoryUse, used: memoryUse }),
    }),
    z.strictObject({
      object: z.literal('server_event'),
      type: z.literal('requests'),
      data: z.array(endedRequest),
    }),
  ])
  .register(components, { id: 'ServerEvent' });

const modelPull = z
  .strictObject({
    object: z.literal('model_pull'),
    state: z.enum(['pulling', 'pulled']),
    model: z.string().nullable().meta({
      description: 'The id under which it is served, once it is pulled; null: another file has it.',
    }),
    file: z.string().min(1),
    received_bytes: count.meta({ description: 'Of all its files.' }),
    total_bytes: count.nullable().meta({ description: 'null until it is known.' }),
    bytes_per_second: count,
    note: z.string().nullable().meta({ description: 'For people: why it pauses, for example.' }),
  })
  .register(components, { id: 'ModelPull' });

/** The data of an event of a pull. */
export const pullEvent = z.union([modelPull, errorBody]).register(components, { id: 'ModelPullEvent' });
