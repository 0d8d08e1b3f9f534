import { AppError } from '../../../../errors/errors.ts';
import { PictureError } from '../../../pictures/header/picture-header.ts';
import { readPictureHeader } from '../../../pictures/header/read-header.ts';
import { textsAround } from '../../../prompt/conversation.ts';
import type { Attachment, ChatMessage } from '../../../types.ts';
import type { Fields } from '../json.ts';

/** The content of a message: its text or, with pictures, parts in the order in which they stand in it. */
export function toContent({ content, attachments = [] }: ChatMessage): string | readonly Fields[] {
  if (attachments.length === 0) return content;
  return textsAround(content, attachments).flatMap((text, index) => {
    const attachment = attachments[index];
    return [
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...(attachment === undefined ? [] : [toPart(attachment)]),
    ];
  });
}

/** Nothing is decoded here: that is the upstream's work. */
function toPart({ kind, file }: Attachment): Fields {
  const data = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('base64');
  if (kind === 'sound') return { type: 'input_audio', input_audio: { data, format: formatOfSound(file) } };
  return { type: 'image_url', image_url: { url: `data:${pictureType(file)};base64,${data}` } };
}

const formatOfSound = (file: Uint8Array): string => (file[0] === 'R'.charCodeAt(0) ? 'wav' : 'mp3');

function pictureType(file: Uint8Array): string {
  try {
    return `image/${readPictureHeader(file).format.toLowerCase()}`;
  } catch (error) {
    if (error instanceof PictureError) throw new AppError('invalid_image', `${error.message}.`);
    throw error;
  }
}
