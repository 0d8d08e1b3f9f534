const begin = '\u001B[200~';
const end = '\u001B[201~';
const interrupt = '\u0003';
/** A paste that is longer, or has several lines, is shown as a few words, because the editor has one line. */
const longestShown = 400;

/**
 * Reads what a terminal sends in its bracketed paste mode, where pasted text comes between two marks. A paste becomes
 * one piece of the line that is being typed, however many lines it has.
 */
export class Pastes {
  readonly #texts = new Map<string, string>();
  /** The text so far of a paste that has not ended yet. */
  #open: string | undefined;
  /** The beginning of a mark whose rest is still to come. */
  #cut = '';

  /** The part of the terminal's text that the line editor gets. */
  read(input: string): string {
    let rest = this.#cut + input;
    this.#cut = '';
    let typed = '';
    while (rest !== '') {
      const mark = this.#open === undefined ? begin : end;
      const at = rest.indexOf(mark);
      const found = at === -1 ? this.#withoutCutMark(rest, mark) : rest.slice(0, at);
      rest = at === -1 ? '' : rest.slice(at + mark.length);
      if (this.#open === undefined) typed += found;
      else if (found.includes(interrupt)) {
        // Ctrl-C must work even when the terminal lost the end of a paste.
        this.#open = undefined;
        typed += interrupt;
        continue;
      } else this.#open += found;
      if (at === -1) break;
      if (this.#open === undefined) this.#open = '';
      else {
        typed += this.#close(this.#open);
        this.#open = undefined;
      }
    }
    return typed;
  }

  /** A line with its pastes in place of the words that stood for them. */
  expand(line: string): string {
    return line.replaceAll(/\[paste \d+: [^\]]*\]/g, (words) => this.#texts.get(words) ?? words);
  }

  #withoutCutMark(text: string, mark: string): string {
    // A lone escape is a key of its own.
    for (let length = Math.min(mark.length - 1, text.length); length > 1; length--) {
      if (!text.endsWith(mark.slice(0, length))) continue;
      this.#cut = text.slice(-length);
      return text.slice(0, -length);
    }
    return text;
  }

  #close(pasted: string): string {
    const text = pasted.replaceAll(/\r\n?/g, '\n').replace(/\n+$/, '');
    if (text.length <= longestShown && !text.includes('\n'))
      // oxlint-disable-next-line no-control-regex -- the line editor would take them for keys
      return text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
    const lines = text.split('\n').length;
    const size = `${lines === 1 ? '1 line' : `${lines} lines`}, ${text.length} characters`;
    const words = `[paste ${this.#texts.size + 1}: ${size}]`;
    this.#texts.set(words, text);
    return words;
  }
}
