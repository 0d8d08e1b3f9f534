import { parseMarkup } from './parse-markup.ts';

/** How the elements of a kind of markup become text. All names are in small letters. */
export interface Markup {
  readonly isXml: boolean;
  /** The text before an element, by its name. */
  readonly before?: Readonly<Record<string, string>>;
  /** The text behind it. */
  readonly behind: Readonly<Record<string, string>>;
  /** Elements whose texts count; undefined: all do. */
  readonly texts?: ReadonlySet<string>;
  /** Elements that are left out with all that is in them. */
  readonly hidden?: ReadonlySet<string>;
  /** Spaces and line ends within texts are no more than one space. */
  readonly foldsSpaces?: boolean;
}

const blocks =
  'p div section article header footer main aside nav ul ol dl dd dt table blockquote figure form';
const headings = 'h1 h2 h3 h4 h5 h6';

/** Web pages, and the chapters of books. */
export const htmlMarkup: Markup = {
  isXml: false,
  before: { li: '- ', h1: '# ', h2: '## ', h3: '### ', h4: '#### ', h5: '##### ', h6: '###### ' },
  behind: {
    ...Object.fromEntries(`${blocks} ${headings} pre`.split(' ').map((name) => [name, '\n\n'])),
    br: '\n',
    hr: '\n\n',
    li: '\n',
    tr: '\n',
    td: '\t',
    th: '\t',
    title: '\n\n',
    option: '\n',
  },
  hidden: new Set(['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'object']),
  foldsSpaces: true,
};

/** The text of a document of Word. */
export const wordMarkup: Markup = {
  isXml: true,
  behind: { 'w:p': '\n', 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:tc': '\t', 'w:tr': '\n' },
  texts: new Set(['w:t', 'm:t']),
  // Deleted text and the instructions of fields are not seen.
  hidden: new Set(['w:del', 'w:instrtext', 'mc:fallback']),
};

/** The text of markup, without empty lines at its ends and without more than one in a row. */
export function textOfMarkup(source: string, markup: Markup): string {
  const pieces: string[] = [];
  const { before = {}, behind, texts, hidden, foldsSpaces = false } = markup;
  const open: string[] = [];
  let [hiddenDepth, preDepth] = [0, 0];
  parseMarkup(source, markup.isXml, {
    onopentag(given) {
      const name = given.toLowerCase();
      open.push(name);
      if (hidden?.has(name) === true) hiddenDepth++;
      if (name === 'pre') preDepth++;
      if (hiddenDepth === 0 && Object.hasOwn(before, name)) pieces.push(before[name] ?? '');
    },
    ontext(text) {
      if (hiddenDepth > 0 || (texts !== undefined && !texts.has(open.at(-1) ?? ''))) return;
      pieces.push(foldsSpaces && preDepth === 0 ? text.replaceAll(/[ \t\r\n\f]+/g, ' ') : text);
    },
    onclosetag(given) {
      const name = given.toLowerCase();
      open.pop();
      if (hidden?.has(name) === true) hiddenDepth--;
      if (name === 'pre') preDepth--;
      if (hiddenDepth === 0 && Object.hasOwn(behind, name)) pieces.push(behind[name] ?? '');
    },
  });
  return tidy(pieces.join(''));
}

/** No spaces at the ends of lines, and at most one empty line in a row. */
export function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^ (?=\S)/gm, '')
    .trim();
}
