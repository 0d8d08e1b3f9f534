import type { Attachment, ChatMessage } from '../../engine/types.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';

/** A part of a message in whatever dialect: a text, or a picture or recording, how it is added, and its kind for errors. */
export type ContentPart =
  | { readonly text: string }
  | {
      readonly add: 'addPicture' | 'addPictureData' | 'addSound';
      readonly data: string;
      readonly what: string;
    };

type Path = readonly PropertyKey[];

export class MessageContent {
  #text = '';
  #breaksBefore = false;
  readonly #attachments: Attachment[] = [];

  get text(): string {
    return this.#text;
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** Texts get a line each; between a text and a picture there is no break, as llama.cpp's server has it. */
  addText(text: string): this {
    this.#text += (this.#breaksBefore ? '\n' : '') + text.toWellFormed();
    this.#breaksBefore = true;
    return this;
  }

  /** Words that stand directly before the next part. */
  addPrefix(text: string): this {
    this.#text += text;
    this.#breaksBefore = false;
    return this;
  }

  /** Adds the part at `path`; pictures and recordings go through `files`. */
  addPart(part: ContentPart, path: Path, files: AttachedFiles): this {
    if ('text' in part) return this.addText(part.text);
    const { add, data, what } = part;
    return this.addAttachment(files[add](data, { offset: this.#text.length, path, what }));
  }

  addAttachment(attachment: Attachment): this {
    this.#attachments.push(attachment);
    this.#breaksBefore = false;
    return this;
  }

  fields(): Pick<ChatMessage, 'content' | 'attachments'> {
    return {
      content: this.#text,
      ...(this.#attachments.length > 0 && { attachments: this.#attachments }),
    };
  }
}

/** `whole` with the content of a message behind it. The dialect tells what its parts are by `toPart`. */
export function readContent<Part>(
  content: string | readonly Part[],
  path: Path,
  files: AttachedFiles,
  toPart: (part: Part, path: Path, files: AttachedFiles) => ContentPart,
  whole = new MessageContent(),
): MessageContent {
  if (typeof content === 'string') return whole.addText(content);
  for (const [index, part] of content.entries()) {
    const place = [...path, index];
    whole.addPart(toPart(part, place, files), place, files);
  }
  return whole;
}
