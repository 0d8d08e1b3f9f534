/** What a template's code mentions. */
export interface JinjaMentions {
  /** The template without its comments. */
  readonly uncommented: string;
  /** Bare names in expressions and statements, keywords included. */
  readonly variables: ReadonlySet<string>;
  /** Names after a dot. */
  readonly fields: ReadonlySet<string>;
  /** Quoted texts that are a single word: message['content'] mentions `content`. */
  readonly quotedWords: ReadonlySet<string>;
}

const maxWordLength = 64;
const wordPattern = /\w/;

/**
 * Names that the code of a Jinja template mentions, found without running it, in one pass over the text: templates
 * come from untrusted files, and a backtracking pattern could be made to hang.
 */
export function scanJinja(template: string): JinjaMentions {
  const mentions = {
    variables: new Set<string>(),
    fields: new Set<string>(),
    quotedWords: new Set<string>(),
  };
  const kept: string[] = [];
  let position = 0;
  while (position < template.length) {
    const open = nextOpening(template, position);
    if (open === -1) break;
    const kind = template[open + 1];
    kept.push(template.slice(position, open));
    if (kind === '#') {
      const close = template.indexOf('#}', open + 2);
      position = close === -1 ? template.length : close + 2;
      continue;
    }
    const end = scanCode(template, open + 2, kind === '{' ? '}}' : '%}', mentions);
    kept.push(template.slice(open, end));
    position = end;
  }
  kept.push(template.slice(position));
  return { uncommented: kept.join(''), ...mentions };
}

/** Where the next `{{`, `{%` or `{#` is; -1 when there is none. */
function nextOpening(template: string, from: number): number {
  let open = template.indexOf('{', from);
  while (open !== -1) {
    const next = template[open + 1];
    if (next === '{' || next === '%' || next === '#') return open;
    open = template.indexOf('{', open + 1);
  }
  return -1;
}

/** Index after the code that starts at `from` and after its closing mark; adds the names in it to `mentions`. */
function scanCode(
  template: string,
  from: number,
  closing: string,
  mentions: { variables: Set<string>; fields: Set<string>; quotedWords: Set<string> },
): number {
  let position = from;
  while (position < template.length) {
    if (template.startsWith(closing, position)) return position + closing.length;
    const character = template.charAt(position);
    if (character === "'" || character === '"') {
      const end = endOfQuoted(template, position);
      const text = template.slice(position + 1, Math.min(end - 1, position + 1 + maxWordLength + 1));
      if (text.length <= maxWordLength && /^\w+$/.test(text)) mentions.quotedWords.add(text);
      position = end;
    } else if (wordPattern.test(character)) {
      let end = position + 1;
      while (end < template.length && wordPattern.test(template.charAt(end))) end++;
      const names = template[position - 1] === '.' ? mentions.fields : mentions.variables;
      if (end - position <= maxWordLength) names.add(template.slice(position, end));
      position = end;
    } else position++;
  }
  return position;
}

/** Index after the closing quote of the text that opens at `open`, or the end of the template. */
function endOfQuoted(template: string, open: number): number {
  const quote = template[open];
  let position = open + 1;
  while (position < template.length && template[position] !== quote) {
    position += template[position] === '\\' ? 2 : 1;
  }
  return Math.min(position + 1, template.length);
}
