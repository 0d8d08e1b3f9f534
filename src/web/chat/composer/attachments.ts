import { chatModel, chatModels } from '../../state/models.ts';
import { t } from '../../texts.ts';
import type { AttachedFile, AttachedText, Attachment } from '../conversations/conversation.ts';
import { keepFile } from '../conversations/files.ts';

/** A file that goes with the message that is being written, and is kept when that is sent. */
export type NewAttachment =
  | AttachedText
  | { readonly name: string; readonly kind: AttachedFile['kind']; readonly content: Blob };

/** That the chosen model takes no attachments of a kind. */
interface Refusal {
  readonly why: string;
  /** The best model that takes them; undefined: none does. */
  readonly other: string | undefined;
}

/** undefined: the chosen model takes attachments of `kind`. */
export function refusalOf(kind: NewAttachment['kind']): Refusal | undefined {
  if (kind === 'text') return undefined;
  const ability = kind === 'image' ? 'supports_image' : 'supports_audio';
  const { id = '', capabilities } = chatModel.value ?? {};
  if (capabilities?.[ability] === true) return undefined;
  const other = chatModels.value.find((model) => model.capabilities[ability])?.id;
  return { why: t.chat.takesNo[kind](id, other === undefined), other };
}

/** What the chosen model takes none of, once for each kind of attachment. */
export const refusalsOf = (attachments: readonly NewAttachment[]): readonly Refusal[] =>
  [...new Set(attachments.map(({ kind }) => kind))].flatMap((kind) => refusalOf(kind) ?? []);

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
