import { hubOperations } from '../admin/models/hub.ts';
import { adminModelOperations } from '../admin/models/operation.ts';
import { modelSettingsOperations } from '../admin/models/settings.ts';
import { adminOperations } from '../admin/operation.ts';
import { transcriptionOperations } from '../audio-transcriptions/schema.ts';
import { speechOperations } from '../audio-speech/schema.ts';
import { batchOperations } from '../batches/operation.ts';
import { chatOperations } from '../chat-completions/operation.ts';
import { completionOperations } from '../completions/schema.ts';
import { docsOperations } from '../docs/route.ts';
import { documentOperations } from '../documents/route.ts';
import { embeddingOperations } from '../embeddings/route.ts';
import { fileOperations } from '../files/operation.ts';
import { llamaServerOperations } from '../llama-server/operation.ts';
import { propsOperations } from '../llama-server/props.ts';
import { limitOperations } from '../limits/route.ts';
import { toolOperations } from '../mcp/route.ts';
import { messageBatchOperations } from '../messages/batches/operation.ts';
import { messageOperations } from '../messages/operation.ts';
import { lmStudioChatOperations } from '../lm-studio/chat-schema.ts';
import { lmStudioOperations } from '../lm-studio/models.ts';
import { modelOperations } from '../models/operation.ts';
import { ollamaOperations } from '../ollama/operation.ts';
import { pageOperations } from '../page/operation.ts';
import { rerankOperations } from '../rerank/route.ts';
import { serverOperations } from '../responses/mcp/servers-route.ts';
import { responseOperations } from '../responses/operation.ts';
import { serviceOperations } from '../health/route.ts';
import { streamOperations } from '../streams/routes.ts';
import { tokenOperations } from '../tokens/schema.ts';
import { adminVoiceOperations, voiceOperations } from '../voices/routes.ts';
import type { Operation } from './operation.ts';

export const operations: readonly Operation[] = [
  ...modelOperations,
  ...propsOperations,
  ...lmStudioOperations,
  ...lmStudioChatOperations,
  ...limitOperations,
  ...chatOperations,
  ...streamOperations,
  ...messageOperations,
  ...responseOperations,
  ...serverOperations,
  ...completionOperations,
  ...llamaServerOperations,
  ...embeddingOperations,
  ...rerankOperations,
  ...tokenOperations,
  ...transcriptionOperations,
  ...speechOperations,
  ...voiceOperations,
  ...toolOperations,
  ...fileOperations,
  ...documentOperations,
  ...batchOperations,
  ...messageBatchOperations,
  ...ollamaOperations,
  ...adminOperations,
  ...adminModelOperations,
  ...hubOperations,
  ...modelSettingsOperations,
  ...adminVoiceOperations,
  ...serviceOperations,
  ...docsOperations,
  ...pageOperations,
];
