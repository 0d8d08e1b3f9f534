const fence = '"""';

/** Joins lines into messages: a line that ends in a backslash goes on, and so does all between two `"""`. */
export class MessageLines {
  #lines: string[] = [];
  #isFenced = false;

  /** Whether a message has begun that is not whole yet. */
  get isOpen(): boolean {
    return this.#isFenced || this.#lines.length > 0;
  }

  /** The message that is whole with this line; undefined while it goes on. */
  add(line: string): string | undefined {
    if (this.#isFenced) {
      if (!line.trimEnd().endsWith(fence)) return this.#goOn(line);
      this.#lines.push(line.trimEnd().slice(0, -fence.length));
      return this.#take();
    }
    if (!this.isOpen && line.trimStart().startsWith(fence)) {
      const rest = line.trimStart().slice(fence.length);
      if (rest.trimEnd().endsWith(fence)) return rest.trimEnd().slice(0, -fence.length);
      this.#isFenced = true;
      return rest === '' ? undefined : this.#goOn(rest);
    }
    if (line.endsWith('\\')) return this.#goOn(line.slice(0, -1));
    this.#lines.push(line);
    return this.#take();
  }

  /** Forgets what has begun. */
  clear(): void {
    this.#lines = [];
    this.#isFenced = false;
  }

  #goOn(line: string): undefined {
    this.#lines.push(line);
  }

  #take(): string {
    const message = this.#lines.join('\n');
    this.clear();
    return message;
  }
}
