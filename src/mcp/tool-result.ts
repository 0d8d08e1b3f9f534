import { z } from 'zod';

/** The answer of a tool: text within the server's bound, and pictures. */
export interface McpResult {
  /** The tool itself says that it failed. */
  readonly isError: boolean;
  readonly text: string;
  /** Files as they came, whose form is not checked. `offset`: where each stands in the text. */
  readonly pictures: readonly { readonly offset: number; readonly file: Uint8Array }[];
}

/** More parts than any tool answers with; each is checked. */
const mostParts = 1000;
const mostPictures = 8;

const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('audio'), mimeType: z.string() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({ uri: z.string(), text: z.string().optional() }),
  }),
  z.object({ type: z.literal('resource_link'), uri: z.string() }),
]);

const result = z.object({
  content: z.unknown().optional(),
  isError: z.boolean().optional(),
  structuredContent: z.unknown().optional(),
});

/**
 * The texts of `given`, the result of a call as it came, cut after `limitBytes`; undefined where it is no result.
 * Parts that are no text, such as pictures, are named in brackets in their place.
 */
export function readResult(given: unknown, limitBytes: number): McpResult | undefined {
  const whole = result.safeParse(given);
  if (!whole.success) return undefined;
  const { content = [], isError = false, structuredContent } = whole.data;
  if (!Array.isArray(content)) return undefined;
  const parts = content.slice(0, mostParts).map((one) => part.safeParse(one));
  const pictures: { offset: number; file: Uint8Array }[] = [];
  let text = '';
  for (const { data: one } of parts) {
    if (one === undefined) return undefined;
    if (text !== '') text += '\n';
    text += textOf(one);
    if (one.type === 'image' && pictures.length < mostPictures && text.length <= limitBytes)
      pictures.push({ offset: text.length, file: Buffer.from(one.data, 'base64') });
  }
  if (content.length > mostParts) text += `\n[${content.length - mostParts} more parts are left out]`;
  if (content.length === 0 && structuredContent !== undefined) text = JSON.stringify(structuredContent);
  return { isError, text: cut(text.toWellFormed(), limitBytes), pictures };
}

function textOf(one: z.output<typeof part>): string {
  switch (one.type) {
    case 'text':
      return one.text;
    case 'image':
      return `[a picture of the type ${one.mimeType}]`;
    case 'audio':
      return `[a recording of the type ${one.mimeType}, which is left out]`;
    case 'resource':
      return one.resource.text ?? `[the file ${one.resource.uri}, which is no text]`;
    case 'resource_link':
      return `[see ${one.uri}]`;
    default:
      return one satisfies never;
  }
}

/** The beginning of `text`, which tells how much is missing. */
function cut(text: string, limitBytes: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limitBytes) return text;
  const beginning = new TextDecoder().decode(Buffer.from(text).subarray(0, limitBytes), { stream: true });
  return `${beginning}\n[cut here: ${bytes.toLocaleString('en')} bytes came, and ${limitBytes.toLocaleString('en')} are shown]`;
}
