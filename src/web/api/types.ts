// The shapes that the server checks its own answers with. Imported as types only, so nothing of them reaches the page.
import type { z } from 'zod';
import type * as admin from '../../api/admin/response-schema.ts';
import type { hubModelList, hubVariantList } from '../../api/admin/models/hub.ts';
import type * as adminModels from '../../api/admin/models/operation.ts';
import type { modelSettings } from '../../api/admin/models/settings.ts';
import type { speechEvent } from '../../api/audio-speech/schema.ts';
import type { transcription, transcriptionEvent } from '../../api/audio-transcriptions/schema.ts';
import type { batch } from '../../api/batches/operation.ts';
import type { chatCompletionEvent } from '../../api/chat-completions/operation.ts';
import type { limitList } from '../../api/limits/route.ts';
import type { responseEvent } from '../../api/responses/events/event-schema.ts';
import type { outputItem } from '../../api/responses/items/items.ts';
import type { claim } from '../../api/page/operation.ts';
import type { mcpServerList } from '../../api/responses/mcp/servers-route.ts';
import type { model } from '../../api/models/operation.ts';
import type { voiceList } from '../../api/voices/routes.ts';

export type Model = z.infer<typeof model>;
export type Batch = z.infer<typeof batch>;
export type AccountBatch = z.infer<typeof admin.accountBatch>;
export type ChatEvent = z.infer<typeof chatCompletionEvent>;
export type ResponseEvent = z.infer<typeof responseEvent>;
export type ResponseItem = z.infer<typeof outputItem>;
export type McpServerList = z.infer<typeof mcpServerList>;
export type Transcription = z.infer<typeof transcription>;
export type TranscriptionEvent = z.infer<typeof transcriptionEvent>;
export type SpeechEvent = z.infer<typeof speechEvent>;
export type VoiceList = z.infer<typeof voiceList>;
export type Claim = z.infer<typeof claim>;
export type Account = z.infer<typeof admin.account>;
export type ApiKey = z.infer<typeof admin.apiKey>;
export type CreatedApiKey = z.infer<typeof admin.createdApiKey>;
export type AuditList = z.infer<typeof admin.auditList>;
export type Invitation = z.infer<typeof admin.invitation>;
export type CreatedInvitation = z.infer<typeof admin.createdInvitation>;
export type PlanList = z.infer<typeof admin.planList>;
export type UsageList = z.infer<typeof admin.usageList>;
export type ModelStatus = z.infer<typeof adminModels.modelStatus>;
export type ModelDetails = z.infer<typeof adminModels.modelDetails>;
export type ModelStatusList = z.infer<typeof adminModels.modelStatusList>;
export type LimitList = z.infer<typeof limitList>;
export type ServerEvent = z.infer<typeof admin.serverEvent>;
export type SuggestionList = z.infer<typeof adminModels.suggestionList>;
export type ModelSettings = z.infer<typeof modelSettings>;
export type HubModelList = z.infer<typeof hubModelList>;
export type HubVariantList = z.infer<typeof hubVariantList>;
export type PullEvent = z.infer<typeof adminModels.pullEvent>;

export interface ListOf<Item> {
  readonly data: readonly Item[];
}
