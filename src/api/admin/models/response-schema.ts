import { z } from 'zod';
import { modelKindNames } from '../../../model-kinds.ts';
import { errorBody } from '../../openapi/error-body.ts';
import { components } from '../../openapi/json-schema.ts';
import { count, listOf, time } from '../descriptions.ts';

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

/** Memory that models may take together, and that those in memory take. */
export const modelMemory = z.strictObject({ budget: memoryUse, used: memoryUse });

export const modelStatusList = z
  .strictObject({
    ...listOf(modelStatus),
    memory: modelMemory.meta({
      description: 'What models may take together, and what those in memory take.',
    }),
  })
  .register(components, { id: 'ModelStatusList' });

export const deletedModel = z
  .strictObject({ id: z.string().min(1), object: z.literal('model'), deleted: z.literal(true) })
  .register(components, { id: 'DeletedModel' });

const suggestion = z
  .strictObject({
    id: z.string().min(1),
    object: z.literal('model_suggestion'),
    kind: z.enum(['chat', 'code', 'vision', 'embedding', 'speech', 'voice']),
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
