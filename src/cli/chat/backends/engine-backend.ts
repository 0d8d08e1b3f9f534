import { can } from '../../../model-kinds.ts';
import { AttachedFiles } from '../../../api/attachments/attached-files.ts';
import { toChatRequest } from '../../../api/chat-completions/convert.ts';
import { toPromptProgress } from '../../../api/generation/wire/prompt-progress.ts';
import { findModelFor } from '../../../api/model/find-model.ts';
import { aliasesOf, listedNames } from '../../../api/model/model-names.ts';
import type { Principal } from '../../../accounts/types.ts';
import type { Config } from '../../../config/types.ts';
import { openQuietServices } from '../../context.ts';
import type { AnswerEvent, ChatBackend, ChatQuestion } from './backend.ts';

/** Stands for no real key or account: the owner's use of this process is not metered. */
const principal: Principal = {
  keyId: 'terminal',
  accountId: 'terminal',
  accountName: 'terminal',
  kind: 'user',
  allowedModels: null,
  planName: 'unlimited',
};

/** Answers come from models in this process. */
export async function openEngineBackend(config: Config): Promise<ChatBackend> {
  const services = await openQuietServices(config);
  const { catalog, models, engine } = services;
  async function* answer(question: ChatQuestion, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const { model, messages, temperature } = question;
    const named = findModelFor('chat', catalog, principal, model);
    const parameters = { model, temperature, messages: [] };
    const files = new AttachedFiles({ catalog }, principal, named);
    const request = toChatRequest(parameters, named, principal, config.reasoningTokens, files);
    for (const { file } of messages.flatMap(({ attachments = [] }) => attachments))
      files.addPictureFile(file, { offset: 0, path: ['/image'], what: 'is a picture' });
    const prompt = { kind: 'messages' as const, messages };
    const { events, ended } = engine.generate({ ...request, prompt, tellsProgress: true }, signal);
    for await (const event of events) {
      if (event.type === 'progress') yield { type: 'progress', progress: toPromptProgress(event) };
      if (event.type !== 'delta' || event.block.type === 'call') continue;
      yield { type: event.block.type, text: event.text };
    }
    const end = await ended;
    if (end.outcome === 'finished') yield { type: 'end', finishReason: end.finishReason };
  }
  return {
    place: undefined,
    async models() {
      const generating = catalog.list().filter((model) => can(model, 'generate'));
      return generating
        .flatMap((model) => listedNames(catalog, model))
        .map((named) => ({
          id: named.name,
          aliases: aliasesOf(named),
          isLoaded: models.state(named.model.id) === 'loaded',
        }));
    },
    answer,
    close: () => services.close(0),
  };
}
