import { z } from 'zod';
import { modelKindNames } from '../../model-kinds.ts';
import { components } from '../openapi/json-schema.ts';
import { modelInfo, modelInfoPage } from './model-info.ts';

const contextTokens = z.int().min(1).nullable();
const sameContext = contextTokens.meta({ description: 'The same as `context_window`.' });

export const model = z
  .strictObject({
    id: z.string().min(1).meta({ description: 'What to ask for; as asked for where that was an alias.' }),
    object: z.literal('model'),
    created: z.int().min(0).meta({ description: "The time of the model's file, Unix seconds." }),
    owned_by: z.string(),
    parameters_number: z
      .string()
      .meta({ description: 'Such as `8.03B`; `unknown` where the file tells none.' }),
    capabilities: z.strictObject({
      supports_audio: z.boolean(),
      supports_image: z.boolean(),
      supports_function_calling: z.boolean(),
    }),
    context_window: contextTokens.meta({
      description:
        'Tokens that one request can have, prompt and answer together: as the model is loaded; else as configured, as it was when it was loaded last, or as it was trained.',
    }),
    context_length: sameContext,
    max_model_len: sameContext,
    meta: z.strictObject({
      n_ctx: sameContext,
      n_ctx_train: contextTokens.meta({ description: 'As it was trained.' }),
    }),
    top_provider: z.strictObject({ context_length: sameContext }),
    quantization: z.string().nullable(),
    aliases: z.array(z.string()),
    state: z.enum(['available', 'loaded', 'failed']),
    tool_format: z.enum(['native', 'json']).nullable().meta({
      description:
        "How a chat model is made to write calls of tools: as its chat template does, or, where that writes none that can be read back, in a plain JSON form. `null` before the model's first load, and for other models.",
    }),
    kind: z.enum(modelKindNames).meta({
      description: 'What it does: write text, compute embeddings, rank texts, transcribe speech, or speak.',
    }),
    supports_reasoning: z.boolean(),
    supports_speech_output: z.boolean().meta({ description: 'It speaks texts at `/v1/audio/speech`.' }),
    size_bytes: z.int().min(0).meta({ description: 'Of its files; 0 where it has none here.' }),
    runs_elsewhere: z.boolean().meta({ description: 'Another server computes its answers.' }),
    support_chat_completion: z.boolean().meta({ description: 'At `/v1/chat/completions`.' }),
    supports_responses: z.boolean().meta({ description: 'At `/v1/responses`.' }),
    info: z.record(z.string(), z.unknown()).optional().meta({ description: "The operator's own fields." }),
  })
  .register(components, { id: 'Model' });

export const modelList = z
  .union([z.strictObject({ object: z.literal('list'), data: z.array(model) }), modelInfoPage])
  .register(components, { id: 'ModelList' });

export const oneModel = z.union([model, modelInfo]).register(components, { id: 'OneModel' });
