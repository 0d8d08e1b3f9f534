import { adminOperations } from '../admin/operation.ts';
import { transcriptionOperations } from '../audio-transcriptions/operation.ts';
import { createSpeech } from '../audio-speech/operation.ts';
import { batchOperations } from '../batches/operation.ts';
import { createChatCompletion } from '../chat-completions/operation.ts';
import { createCompletion } from '../completions/operation.ts';
import { docsOperations } from '../docs/operation.ts';
import { createEmbedding } from '../embeddings/operation.ts';
import { fileOperations } from '../files/operation.ts';
import { limitOperations } from '../limits/operation.ts';
import { callToolsOperation } from '../mcp/operation.ts';
import { messageBatchOperations } from '../messages/batches/operation.ts';
import { messageOperations } from '../messages/operation.ts';
import { modelOperations } from '../models/operation.ts';
import { ollamaOperations } from '../ollama/operation.ts';
import { pageOperations } from '../page/operation.ts';
import { rerankOperations } from '../rerank/operation.ts';
import { responseOperations } from '../responses/operation.ts';
import { serviceOperations } from '../health/operation.ts';
import { streamOperations } from '../streams/operation.ts';
import { tokenOperations } from '../tokens/operation.ts';
import { listVoices } from '../voices/operation.ts';
import type { Operation } from './operation.ts';

/** The descriptions of all routes. */
export const operations: readonly Operation[] = [
  ...modelOperations,
  ...limitOperations,
  createChatCompletion,
  ...streamOperations,
  ...messageOperations,
  ...responseOperations,
  createCompletion,
  createEmbedding,
  ...rerankOperations,
  ...tokenOperations,
  ...transcriptionOperations,
  createSpeech,
  listVoices,
  callToolsOperation,
  ...fileOperations,
  ...batchOperations,
  ...messageBatchOperations,
  ...ollamaOperations,
  ...adminOperations,
  ...serviceOperations,
  ...docsOperations,
  ...pageOperations,
];
