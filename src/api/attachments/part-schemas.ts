import { z } from 'zod';

/** The model's projector decides the size of a picture, so a wish about its detail changes nothing. */
export const detail = z
  .enum(['auto', 'low', 'high', 'original'])
  .nullish()
  .describe("Without effect: the model's projector decides how much of a picture it sees.");

const address = z
  .string()
  .min(1)
  .describe(
    'A `data:` URL with base64: PNG, JPEG, WebP, GIF (its first frame) or BMP, at most 20 MiB and 64 megapixels. An http(s) address where the server has `imageUrls: true`.',
  );

/** A picture of OpenAI's chat API; some clients send the address alone. */
export const imageUrl = z
  .union([address, z.object({ url: address, detail })])
  .transform((given) => (typeof given === 'string' ? given : given.url));

export const inputAudio = z.object({
  data: z.string().min(1).describe('A WAV or MP3 file in base64.'),
  format: z.enum(['wav', 'mp3']),
});

export const pictureAddress = address;

/** A file of OpenAI's chat API: a document, a picture or a recording. */
export const attachedFile = z.object({
  file_data: z
    .string()
    .nullish()
    .describe('In base64, or as a data: URL: PDF, DOCX, XLSX, EPUB, HTML or text.'),
  file_id: z.string().nullish().describe('Of a file of `POST /v1/files`.'),
  filename: z.string().nullish().describe('The model is told this name.'),
});
