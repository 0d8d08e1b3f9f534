import { chatModel, chatModels } from '../../../state/models.ts';
import { t } from '../../../words/texts.ts';
import type { AttachedFile, Attachment } from '../../conversations/conversation.ts';

/** That chosen models take no attachments of a kind. */
interface Refusal {
  readonly kind: Attachment['kind'];
  readonly why: string;
  /** Which of two: the second one is compared with the first. */
  readonly who: 'first' | 'second' | 'both';
  /** The best model that takes them and is not asked already; undefined: none. */
  readonly other: string | undefined;
}

/** The ids of the models that take attachments of a kind, the best choice first. */
export function takersOf(kind: AttachedFile['kind']): readonly string[] {
  const ability = kind === 'image' ? 'supports_image' : 'supports_audio';
  return chatModels.value.filter(({ capabilities }) => capabilities[ability]).map(({ id }) => id);
}

/** One refusal for each kind of attachment that chosen models do not take. */
export function refusalsOf(attachments: readonly Attachment[], second: string | undefined): Refusal[] {
  const ids = [...new Set([chatModel.value?.id ?? '', second ?? []].flat())];
  return [...new Set(attachments.map(({ kind }) => kind))].flatMap((kind) => {
    if (kind === 'text') return [];
    const able = takersOf(kind);
    const unable = ids.filter((id) => !able.includes(id));
    if (unable.length === 0) return [];
    const why = t.chat.takesNo[kind](unable.join(' and '), able.length === 0);
    const who = unable.length > 1 ? 'both' : unable[0] === ids[0] ? 'first' : 'second';
    return { kind, why, who, other: able.find((one) => !ids.includes(one)) };
  });
}
