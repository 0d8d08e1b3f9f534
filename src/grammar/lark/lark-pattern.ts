import { PatternError } from '../language/pattern/pattern-node.ts';
import { parseLark, type LarkGrammar, type LarkNode } from './parse-lark.ts';

/** Patterns are not read beyond this either. */
const maxChars = 4_096;

/**
 * A regular expression for the texts of a grammar in Lark's language, which begin with its rule `start`. Throws
 * PatternError for a grammar whose rules refer to themselves, as there is none, and for parts that are not supported.
 */
export function larkPattern(source: string): string {
  return new LarkTranslation(parseLark(source)).pattern();
}

class LarkTranslation {
  readonly #grammar: LarkGrammar;
  readonly #known = new Map<string, string>();
  /** The names of the definitions that are being translated. */
  readonly #open = new Set<string>();
  /** The pattern behind every terminal of a rule: any number of ignored terminals. */
  #between = '';

  constructor(grammar: LarkGrammar) {
    this.#grammar = grammar;
  }

  pattern(): string {
    const ignored = this.#grammar.ignored.map((node) => this.#translate(node, false));
    if (ignored.length > 0) this.#between = `(?:${ignored.join('|')})*`;
    return `^${this.#between}${this.#definition('start')}$`;
  }

  #definition(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const node = this.#grammar.definitions.get(name);
    if (node === undefined) throw new PatternError(`there is no definition of '${name}'`);
    if (this.#open.has(name))
      throw new PatternError(
        `'${name}' refers to itself, which is not supported: write a repetition with * or + instead`,
      );
    this.#open.add(name);
    const text = grouped(node, this.#translate(node, !isTerminal(name)));
    this.#open.delete(name);
    this.#known.set(name, text);
    return text;
  }

  /** `inRule`: terminals may be followed by ignored texts. */
  #translate(node: LarkNode, inRule: boolean): string {
    const text = this.#written(node, inRule);
    if (text.length > maxChars)
      throw new PatternError(`it becomes a regular expression of more than ${maxChars} characters`);
    return text;
  }

  #written(node: LarkNode, inRule: boolean): string {
    switch (node.kind) {
      case 'choice':
        return node.parts.map((part) => this.#translate(part, inRule)).join('|');
      case 'sequence':
        return node.parts.map((part) => grouped(part, this.#translate(part, inRule))).join('');
      case 'repeat':
        return `(?:${this.#translate(node.inner, inRule)})${node.times}`;
      case 'pattern':
        return inRule ? node.text + this.#between : node.text;
      case 'name': {
        const text = this.#definition(node.name);
        return inRule && isTerminal(node.name) ? text + this.#between : text;
      }
    }
  }
}

const isTerminal = (name: string) => name === name.toUpperCase();

/** `text`, the regular expression for `node`, in a group if it has alternatives. */
function grouped(node: LarkNode, text: string): string {
  return node.kind === 'choice' && node.parts.length > 1 ? `(?:${text})` : text;
}
