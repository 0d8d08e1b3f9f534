import { chatModel, chatModels } from '../../../state/models.ts';
import { t } from '../../../words/texts.ts';
import type { AttachedFile, AttachedText, Attachment } from '../../conversations/conversation.ts';
import { keepFile } from '../../conversations/files.ts';

/** A file that goes with the message that is being written, and is kept when that is sent. */
export type NewAttachment =
  | AttachedText
  | { readonly name: string; readonly kind: AttachedFile['kind']; readonly content: Blob };

/** That a chosen model takes no attachments of a kind. */
interface Refusal {
  readonly kind: NewAttachment['kind'];
  readonly why: string;
  /** Whether it is the second model, which the first one is compared with. */
  readonly isSecond: boolean;
  /** The best model that takes them and is not asked already; undefined: none. */
  readonly other: string | undefined;
}

/** The ids of the models that take attachments of a kind, the best choice first. */
export function takersOf(kind: AttachedFile['kind']): readonly string[] {
  const ability = kind === 'image' ? 'supports_image' : 'supports_audio';
  return chatModels.value.filter(({ capabilities }) => capabilities[ability]).map(({ id }) => id);
}

/** One refusal for each kind of attachment and each chosen model that does not take it. */
export function refusalsOf(attachments: readonly NewAttachment[], second: string | undefined): Refusal[] {
  const ids = [...new Set([chatModel.value?.id ?? '', second ?? []].flat())];
  return [...new Set(attachments.map(({ kind }) => kind))].flatMap((kind) => {
    if (kind === 'text') return [];
    const able = takersOf(kind);
    return ids.flatMap((id, index) => {
      if (able.includes(id)) return [];
      const why = t.chat.takesNo[kind](id, able.length === 0);
      return { kind, why, isSecond: index > 0, other: able.find((one) => !ids.includes(one)) };
    });
  });
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
