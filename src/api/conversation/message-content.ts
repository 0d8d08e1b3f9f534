import type { Attachment, ChatMessage } from '../../engine/types.ts';

/** The content of one message, put together from the parts that a request has. */
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

  /** Where the next attachment stands. */
  get end(): number {
    return this.#text.length;
  }

  /**
   * Texts get a line each; between a text and a picture there is no break, as llama.cpp's server has it. Lone surrogates,
   * which UTF-8 cannot hold, become U+FFFD.
   */
  addText(text: string): this {
    this.#text += (this.#breaksBefore ? '\n' : '') + text.toWellFormed();
    this.#breaksBefore = true;
    return this;
  }

  /** Words that stand directly before what follows. */
  addPrefix(text: string): this {
    this.#text += text;
    this.#breaksBefore = false;
    return this;
  }

  addAttachment(attachment: Attachment): this {
    this.#attachments.push(attachment);
    this.#breaksBefore = false;
    return this;
  }

  /** The fields of a message in the engine's form. */
  fields(): Pick<ChatMessage, 'content' | 'attachments'> {
    return {
      content: this.#text,
      ...(this.#attachments.length > 0 && { attachments: this.#attachments }),
    };
  }
}
