import type { Judgement } from '../judge-schemas/judgement.ts';
import type { Verdict } from '../judge-schemas/schema-judge.ts';

/** The findings about a group of schemas. */
export class Tally {
  readonly name: string;
  schemas = 0;
  compiled = 0;
  withIgnored = 0;
  /** CPU milliseconds of each compilation, whatever came of it. */
  readonly times: number[] = [];
  /** Texts that a validator judged, once for each validator. */
  written = 0;
  /** Those that it found invalid. */
  readonly invalid: string[] = [];
  validAsked = 0;
  validAccepted = 0;
  invalidAsked = 0;
  readonly invalidAccepted: string[] = [];
  /** The names of the schemas that were refused, by reason. */
  readonly reasons = new Map<string, string[]>();

  constructor(name: string) {
    this.name = name;
  }

  add(schema: string, { about, ended }: Verdict): void {
    this.schemas += 1;
    for (const judgement of about) this.#note(schema, judgement);
    if (about.length === 0) this.#refused(schema, ended === 'late' ? 'never answered' : 'crashed');
  }

  #note(schema: string, judgement: Judgement): void {
    switch (judgement.kind) {
      case 'compiled':
        this.compiled += 1;
        this.times.push(judgement.compileMs);
        if (judgement.ignored > 0) this.withIgnored += 1;
        return;
      case 'refused':
        this.times.push(judgement.compileMs);
        this.#refused(schema, `${judgement.code}: ${inGeneral(judgement.message)}`);
        return;
      case 'sampled':
        this.written += judgement.texts;
        return;
      case 'invalid':
        this.invalid.push(`${schema}: written, says ${judgement.by}: ${judgement.text}`);
        return;
      case 'asked':
        this.#asked(schema, judgement);
        return;
      case 'ready':
      case 'done':
        return;
    }
  }

  #asked(schema: string, { valid, accepted, text }: Judgement & { readonly kind: 'asked' }): void {
    if (valid) {
      this.validAsked += 1;
      if (accepted) this.validAccepted += 1;
    } else {
      this.invalidAsked += 1;
      if (accepted) this.invalidAccepted.push(`${schema}: accepted: ${text}`);
    }
  }

  #refused(schema: string, reason: string): void {
    const names = this.reasons.get(reason);
    if (names === undefined) this.reasons.set(reason, [schema]);
    else names.push(schema);
  }
}

/** `message` without the parts that differ from schema to schema, so that equal reasons are counted together. */
function inGeneral(message: string): string {
  if (message.includes('it is unknown; write')) return 'a keyword is misspelt';
  const [, keyword = '', why = message] =
    /^The keyword '([^']*)' cannot be honoured: (.*)/s.exec(message) ?? [];
  const general = why
    .replace(/in the pattern '.*',/s, 'in the pattern …,')
    .replaceAll(/'[^']*'/g, '…')
    .replaceAll(/oneOf\[\d+\]/g, 'oneOf[…]');
  return `${keyword}: ${general}`.slice(0, 160);
}
