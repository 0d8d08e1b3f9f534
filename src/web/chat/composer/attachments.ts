import { chatModel, chatModels } from '../../state/models.ts';
import { t } from '../../texts.ts';
import type { AttachedFile, AttachedText, Attachment } from '../conversations/conversation.ts';
import { keepFile } from '../conversations/files.ts';

/** A file that goes with the message that is being written, and is kept when that is sent. */
export type NewAttachment =
  | AttachedText
  | { readonly name: string; readonly kind: AttachedFile['kind']; readonly content: Blob };

/** Why the chosen model takes no attachments of `kind`; undefined: it does. */
export function whyRefused(kind: NewAttachment['kind']): string | undefined {
  const { id = '', capabilities } = chatModel.value ?? {};
  if (kind === 'image') {
    if (capabilities?.supports_image === true) return undefined;
    return t.chat.noPictures(id, chatModels.value.find((other) => other.capabilities.supports_image)?.id);
  }
  if (kind === 'text' || capabilities?.supports_audio === true) return undefined;
  return t.chat.noAudio(id, chatModels.value.find((other) => other.capabilities.supports_audio)?.id);
}

/** Keeps the files of a message in this browser. Rejects where there is no room for them. */
export async function keepAttachments(attachments: readonly NewAttachment[]): Promise<Attachment[]> {
  return await Promise.all(
    attachments.map(async (attachment) => {
      if (attachment.kind === 'text') return attachment;
      const { name, kind, content } = attachment;
      return { name, kind, type: content.type, fileId: await keepFile(content) };
    }),
  );
}
