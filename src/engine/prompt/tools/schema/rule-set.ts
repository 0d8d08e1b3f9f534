import { AppError, type ErrorCode } from '../../../../errors/errors.ts';
import { compileAnyText, type RawTexts } from '../../../../grammar/compile-raw-text.ts';
import { gbnfLiteral, type CompiledSchema } from '../../../../grammar/gbnf.ts';

/** The rules of a grammar by name, and the paths of ignored keywords in the schemas behind them. */
export class RuleSet {
  readonly rules = new Map<string, string>();
  /** The names of rules that serve wherever the same is allowed, by a text that tells that. */
  readonly shared = new Map<string, string>();
  readonly #anyTexts = new Map<string, string>();
  #ignored: readonly string[] = [];

  /** Adds a rule, or replaces the one of that name; returns the name. */
  define(name: string, text: string): string {
    this.rules.set(name, text);
    return name;
  }

  /** Adds the rules of `compiled`; returns the name of its root. */
  addAll({ rules, rootRule, ignored }: CompiledSchema): string {
    for (const [name, text] of rules) this.rules.set(name, text);
    this.noteIgnored(ignored);
    return rootRule;
  }

  get ignored(): readonly string[] {
    return this.#ignored;
  }

  noteIgnored(paths: readonly string[]): void {
    this.#ignored = [...new Set([...this.#ignored, ...paths])];
  }

  /** `texts` with the name of the rule for all of them; there is such a rule after `addAnyText`. */
  anyText(texts: Omit<RawTexts, 'anyText'>): RawTexts {
    const key = JSON.stringify([texts.end, texts.notFirst]);
    const anyText = this.#anyTexts.get(key) ?? `text-${this.#anyTexts.size}`;
    this.#anyTexts.set(key, anyText);
    return { ...texts, anyText };
  }

  addAnyText(raw: RawTexts): void {
    if (!this.rules.has(raw.anyText)) this.addAll(compileAnyText(raw));
  }

  /** As `atPath`; `path` is also put before the paths that `run` ignores. */
  at<T>(path: string, run: () => T): T {
    const before = this.#ignored;
    this.#ignored = [];
    const result = atPath(path, run);
    const added = this.#ignored.map((inner) => (inner === '' ? path : `${path}.${inner}`));
    this.#ignored = before;
    this.noteIgnored(added);
    return result;
  }
}

/**
 * Grammar text for `literal` as models write it. White space with a line break may be another white space, or missing:
 * one token may hold a marker together with the text after it.
 */
export function looseLiteral(literal: string): string {
  return literal
    .split(/(\s*\n\s*)/)
    .map((part) => {
      if (part === '') return '';
      if (!part.includes('\n')) return gbnfLiteral(part);
      const others = ['\n', ' '].filter((other) => other !== part).map(gbnfLiteral);
      return `(${[gbnfLiteral(part), ...others].join(' | ')})?`;
    })
    .filter((part) => part !== '')
    .join(' ');
}

/** The result of `run`. When it refuses a schema, `path` is put before the path in the error. */
export function atPath<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const isRefusal = error instanceof AppError && refusalCodes.includes(error.code);
    if (!isRefusal) throw error;
    const param = error.param === null ? path : `${path}.${error.param}`;
    throw new AppError(error.code, error.message, { param, cause: error });
  }
}

const refusalCodes: readonly ErrorCode[] = ['invalid_json_schema', 'schema_too_complex'];
