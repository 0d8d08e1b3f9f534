import type { z } from 'zod';
import { modelKinds } from '../../model-kinds.ts';
import { answerErrors, modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { linesType, ollamaDialect } from './dialect.ts';
import { embeddingsSchema, embedSchema } from './embeddings/schema.ts';
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

const json = (schema: z.ZodType) => ({
  200: { description: 'As Ollama has it.', content: { 'application/json': schema } },
});
const lines = (whole: z.ZodType, line: z.ZodType) => ({
  200: {
    description: 'In lines of JSON, or with `stream: false` as one object.',
    content: { [linesType]: line, 'application/json': whole },
  },
});

const described: readonly Omit<Operation, 'tag' | 'dialect' | 'access'>[] = [
  { method: 'GET', path: '/api/version', id: 'ollamaVersion', summary: 'Tell the version', responses: json(ollamaVersion) },
  { method: 'GET', path: '/api/tags', id: 'ollamaTags', summary: 'List the models that the key may use', responses: json(tagList) },
  { method: 'GET', path: '/api/ps', id: 'ollamaRunning', summary: 'List those that are in memory', responses: json(runningList) },
  {
    method: 'POST',
    path: '/api/show',
    id: 'ollamaShow',
    summary: 'Look a model up',
    body: { schema: showSchema, example: { model: chat.placeholder } },
    responses: json(shownModel),
    errors: ['model_not_found', 'model_loading'],
  },
  {
    method: 'POST',
    path: '/api/chat',
    id: 'ollamaChat',
    summary: 'Answer a conversation',
    body: {
      schema: chatSchema,
      example: { model: chat.placeholder, messages: [{ role: 'user', content: 'Hello!' }], options: { num_predict: 100 } },
    },
    responses: lines(chatAnswers.whole, chatAnswers.line),
    errors: answerErrors,
  },
  {
    method: 'POST',
    path: '/api/generate',
    id: 'ollamaGenerate',
    summary: 'Answer a prompt, or continue it',
    body: { schema: generateSchema, example: { model: chat.placeholder, prompt: 'Hello!', options: { num_predict: 100 } } },
    responses: lines(generateAnswers.whole, generateAnswers.line),
    errors: answerErrors,
  },
  {
    method: 'POST',
    path: '/api/embed',
    id: 'ollamaEmbed',
    summary: 'Turn texts into vectors',
    body: { schema: embedSchema, example: { model: embedding.placeholder, input: ['The fox slept.'] } },
    responses: json(embedAnswer),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
  {
    method: 'POST',
    path: '/api/embeddings',
    id: 'ollamaEmbeddings',
    summary: 'Turn a text into a vector',
    body: { schema: embeddingsSchema, example: { model: embedding.placeholder, prompt: 'The fox slept.' } },
    responses: json(embeddingsAnswer),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
  {
    method: 'POST',
    path: '/api/pull',
    id: 'ollamaPull',
    summary: 'Download a model',
    description: 'For admin keys.',
    body: { schema: pullSchema, example: { model: 'hf.co/Owner/Repository:Q4_K_M' } },
    responses: lines(pullAnswer, pullLine),
    errors: ['pull_failed'],
  },
]; // prettier-ignore

export const ollamaOperations: readonly Operation[] = described.map((operation) => ({
  ...operation,
  tag: 'Ollama',
  dialect: ollamaDialect,
  access: operation.path === '/api/pull' ? 'admin' : 'user',
}));
