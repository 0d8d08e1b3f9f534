import type { z } from 'zod';
import { modelKinds } from '../../model-kinds.ts';
import { answerErrors, json, modelErrors, operationsOf, type Answer } from '../openapi/operation.ts';
import { linesType, ollamaDialect } from './dialect.ts';
import { embeddingsSchema, embedSchema } from './embeddings/route.ts';
import { chatSchema, generateSchema } from './generation/schema.ts';
import { pullSchema } from './models/pull.ts';
import { showSchema } from './models/route.ts';
import {
  chatAnswers,
  embedAnswer,
  embeddingsAnswer,
  generateAnswers,
  ollamaVersion,
  pullAnswer,
  pullLine,
  runningList,
  shownModel,
  tagList,
} from './response-schema.ts';

const { chat, embedding } = modelKinds;

const whole = (schema: z.ZodType) => json(schema, 'As Ollama has it.');
const lines = (schema: z.ZodType, line: z.ZodType): Answer => ({
  description: 'In lines of JSON, or with `stream: false` as one object.',
  content: { [linesType]: line, 'application/json': schema },
});

export const ollamaOperations = operationsOf(['Ollama', 'user', ollamaDialect], {
  ollamaVersion: { route: 'GET /api/version', summary: 'Tell the version', answer: whole(ollamaVersion) },
  ollamaTags: {
    route: 'GET /api/tags',
    summary: 'List the models that the key may use',
    answer: whole(tagList),
  },
  ollamaRunning: {
    route: 'GET /api/ps',
    summary: 'List those that are in memory',
    answer: whole(runningList),
  },
  ollamaShow: {
    route: 'POST /api/show',
    summary: 'Look a model up',
    body: { schema: showSchema, example: { model: chat.placeholder } },
    answer: whole(shownModel),
    errors: ['model_not_found', 'model_loading'],
  },
  ollamaChat: {
    route: 'POST /api/chat',
    summary: 'Answer a conversation',
    body: {
      schema: chatSchema,
      example: {
        model: chat.placeholder,
        messages: [{ role: 'user', content: 'Hello!' }],
        options: { num_predict: 100 },
      },
    },
    answer: lines(chatAnswers.whole, chatAnswers.line),
    errors: answerErrors,
  },
  ollamaGenerate: {
    route: 'POST /api/generate',
    summary: 'Answer a prompt, or continue it',
    body: {
      schema: generateSchema,
      example: { model: chat.placeholder, prompt: 'Hello!', options: { num_predict: 100 } },
    },
    answer: lines(generateAnswers.whole, generateAnswers.line),
    errors: answerErrors,
  },
  ollamaEmbed: {
    route: 'POST /api/embed',
    summary: 'Turn texts into vectors',
    body: { schema: embedSchema, example: { model: embedding.placeholder, input: ['The fox slept.'] } },
    answer: whole(embedAnswer),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
  ollamaEmbeddings: {
    route: 'POST /api/embeddings',
    summary: 'Turn a text into a vector',
    body: { schema: embeddingsSchema, example: { model: embedding.placeholder, prompt: 'The fox slept.' } },
    answer: whole(embeddingsAnswer),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
  ollamaPull: {
    route: 'POST /api/pull',
    summary: 'Download a model',
    description: 'For admin keys.',
    access: 'admin',
    body: { schema: pullSchema, example: { model: 'hf.co/Owner/Repository:Q4_K_M' } },
    answer: lines(pullAnswer, pullLine),
    errors: ['pull_failed'],
  },
});
