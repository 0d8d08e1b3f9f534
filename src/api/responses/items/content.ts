import { z } from 'zod';
import { isPictureFile } from '../../attachments/attached-files.ts';
import { detail, pictureAddress } from '../../attachments/part-schemas.ts';
import { outputToken } from '../../generation/wire/completion-schema.ts';
import { maxContentParts } from '../../conversation/conversation.ts';
import { list, refuse } from '../../parameters/schema-parts.ts';

const inputText = z.strictObject({ type: z.literal('input_text'), text: z.string() });
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string(),
  detail: z.enum(['auto', 'low', 'high', 'original']),
});
export const fileCitation = z.strictObject({
  type: z.literal('file_citation'),
  file_id: z.string().describe("Empty where the request has the file's content."),
  filename: z.string(),
  index: z.int().min(0).describe('The place in the text behind the quote.'),
});
export const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(fileCitation).describe('Of quotes from files that ask for citations.'),
  logprobs: z.array(outputToken).describe('Empty unless `include` asked for them.'),
});

export const messageParts = z.array(
  z.discriminatedUnion('type', [inputText, inputImage, outputText, refusal]),
);
export const toolOutput = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [inputText, inputImage])),
]);

type InputImage = z.output<typeof inputImage>;

const givenPart = z.discriminatedUnion('type', [
  inputText.strip(),
  z.object({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.unknown().optional(),
    logprobs: z.unknown().optional(),
  }),
  refusal.strip(),
  z.object({
    type: z.literal('input_image'),
    image_url: pictureAddress.nullish(),
    file_id: z.string().nullish(),
    detail,
  }),
  // A picture may be sent as a file. Other files, and the parts below, are taken here to be refused by their own
  // message.
  z.looseObject({ type: z.literal('input_file'), file_data: z.string().nullish() }),
  z.looseObject({ type: z.literal('input_audio') }),
  z.looseObject({ type: z.literal('input_video') }),
]);

/** The parts that a request may send as the content of a message or as the answer of a tool. */
export const givenContent = z.union([z.string(), list(givenPart, { max: maxContentParts })]);

type GivenPart = z.output<typeof givenPart>;
type GivenText = Extract<GivenPart, { type: 'input_text' | 'output_text' | 'refusal' }>;

/** A tool's answer as a request sends it, read to the form of `toolOutput`. */
export const givenToolOutput = givenContent.transform((content, context): z.output<typeof toolOutput> => {
  if (typeof content === 'string') return content;
  return content.map((part, index) =>
    isText(part)
      ? { type: 'input_text', text: part.type === 'refusal' ? part.refusal : part.text }
      : readPicture(part, [index], context),
  );
});

/** The content of a message of `role` in the form of `messageParts`. `context` gets a complaint where it is not supported. */
export function readMessageContent(
  content: z.output<typeof givenContent>,
  role: string,
  context: z.core.$RefinementCtx,
): z.output<typeof messageParts> {
  const parts = typeof content === 'string' ? [{ type: 'input_text' as const, text: content }] : content;
  return parts.map((part, index) => {
    const path = ['content', index];
    if (part.type === 'refusal') return part;
    if (role === 'assistant')
      return isText(part)
        ? { type: 'output_text', text: part.text, annotations: [], logprobs: [] }
        : refuseUse(context, [...path, 'type'], 'Answers are text: send text parts only');
    return isText(part) ? { type: 'input_text', text: part.text } : readPicture(part, path, context);
  });
}

const isText = (part: GivenPart): part is GivenText => 'text' in part || part.type === 'refusal';

/** A picture, which may have been sent as a file. */
function readPicture(
  part: Exclude<GivenPart, GivenText>,
  path: readonly PropertyKey[],
  context: z.core.$RefinementCtx,
): InputImage {
  if (part.type === 'input_image') {
    const { image_url: url, detail: asked } = part;
    if (url) return { type: 'input_image', image_url: url, detail: asked ?? 'auto' };
    return refuseUse(context, path, "No files are kept here: send the picture itself as 'image_url'");
  }
  if (part.type === 'input_file' && part.file_data && isPictureFile(part.file_data))
    return { type: 'input_image', image_url: part.file_data, detail: 'auto' };
  const remedy = 'No model here understands more than text and pictures: send such parts only';
  return refuseUse(context, [...path, 'type'], remedy);
}

function refuseUse(context: z.core.$RefinementCtx, path: readonly PropertyKey[], remedy: string) {
  const complaint = `has a value that is not supported here. ${remedy}`;
  return refuse(context, complaint, { path, code: 'unsupported_value' });
}
