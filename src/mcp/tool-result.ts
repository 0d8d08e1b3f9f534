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

/** A value that is nested deeper is not written as JSON, which takes a stack of that depth. */
const mostDepth = 1000;

/** All that is known of a part, whatever its type is. A value that is null or of another type is not there. */
const known = z.string().optional().catch(undefined);
const part = z.object({
  type: known,
  text: z.union([z.string(), z.number(), z.boolean()]).optional().catch(undefined),
  data: known,
  mimeType: known,
  uri: known,
  resource: z.object({ uri: known, text: known }).optional().catch(undefined),
});

/**
 * The texts of `given`, the result of a call as it came, cut after `limitBytes`. Parts that are no text, such as
 * pictures, are named in brackets in their place, and so are parts that cannot be read: the call was made.
 */
export function readResult(given: Readonly<Record<string, unknown>>, limitBytes: number): McpResult {
  const { content = null, isError, structuredContent = null } = given;
  const all: readonly unknown[] = Array.isArray(content) ? content : content === null ? [] : [content];
  const pictures: { offset: number; file: Uint8Array }[] = [];
  let said = '';
  for (const item of all.slice(0, mostParts)) {
    const { data: one } = part.safeParse(typeof item === 'string' ? { type: 'text', text: item } : item);
    if (said !== '') said += '\n';
    said += one === undefined ? unreadable(undefined) : textOf(one);
    if (
      one?.type === 'image' &&
      one.data !== undefined &&
      pictures.length < mostPictures &&
      said.length <= limitBytes
    )
      pictures.push({ offset: said.length, file: Buffer.from(one.data, 'base64') });
  }
  if (all.length > mostParts) said += `\n[${all.length - mostParts} more parts are left out]`;
  if (all.length === 0 && structuredContent !== null)
    said = isDeeper(structuredContent, mostDepth)
      ? '[an answer that is nested too deep to be shown]'
      : JSON.stringify(structuredContent);
  return { isError: isError === true, text: cut(said.toWellFormed(), limitBytes), pictures };
}

function textOf({ type, text: said, data, mimeType, uri, resource }: z.output<typeof part>): string {
  const ofType = mimeType === undefined ? '' : ` of the type ${mimeType}`;
  if (type === 'image') return data === undefined ? unreadable(type) : `[a picture${ofType}]`;
  if (type === 'audio') return `[a recording${ofType}, which is left out]`;
  if (type === 'resource' && resource !== undefined)
    return resource.text ?? `[the file ${resource.uri ?? 'without a name'}, which is no text]`;
  if (type === 'resource_link' && uri !== undefined) return `[see ${uri}]`;
  return said === undefined ? unreadable(type) : String(said);
}

const unreadable = (type: string | undefined) =>
  type === undefined
    ? '[a part that cannot be read]'
    : `[a part of the type "${type.slice(0, 64)}", which cannot be read]`;

/** The beginning of `text`, which tells how much is missing. */
function cut(text: string, limitBytes: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limitBytes) return text;
  const beginning = new TextDecoder().decode(Buffer.from(text).subarray(0, limitBytes), { stream: true });
  return `${beginning}\n[cut here: ${bytes.toLocaleString('en')} bytes came, and ${limitBytes.toLocaleString('en')} are shown]`;
}

/** Whether lists and objects in a value that came from JSON are nested more than `depth` deep. */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
