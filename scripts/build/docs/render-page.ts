import { Marked, type Tokens } from 'marked';
import { headingId } from './heading-id.ts';

/** Where a page of `docs` is served, from its file name; undefined: it is not a page. */
export function pageName(file: string): string | undefined {
  if (!/^[\w-]+\.md$/.test(file)) return undefined;
  return file === 'README.md' ? 'pages' : file.slice(0, -'.md'.length);
}

/** The title of a page: its first heading. */
export const titleOf = (markdown: string): string => /^# (.*)$/m.exec(markdown)?.[1] ?? '';

/** The HTML document of a page, beside links to all pages that `index`, the first of them, lists. */
export function renderPage(markdown: string, index: string): string {
  const title = escape(titleOf(markdown));
  const links = linksOf(index);
  const at = links.findIndex((link) => link.title === titleOf(markdown));
  const next = at === -1 ? undefined : links[at + 1];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · hearth</title>
    <link rel="icon" href="../icon.svg" />
    <link rel="stylesheet" href="palette.css" />
    <link rel="stylesheet" href="docs.css" />
    <link rel="stylesheet" href="handbook.css" />
    <script src="theme.js"></script>
    <script src="handbook.js" defer></script>
  </head>
  <body>
    <header>
      <a class="home" href="../"><img src="../icon.svg" alt="" />hearth</a>
      <a href="pages" aria-current="page">Handbook</a>
      <a href="../docs">API reference</a>
      <button popovertarget="pages">Pages</button>
      <search>
        <input type="search" aria-label="Search the handbook" placeholder="Search" />
        <ul aria-label="Found"></ul>
      </search>
    </header>
    <div class="columns">
      <nav id="pages" aria-label="Pages" popover>
        <button class="close" popovertarget="pages" popovertargetaction="hide" aria-label="Close">✕</button>
${navigation(links, markdown)}
      </nav>
      <main>
${markedPage.parse(markdown, { async: false })}${next === undefined ? '' : `<p class="next">Next: ${toLink(next)}</p>\n`}      </main>
    </div>
  </body>
</html>
`;
}

/** A part of a page, to be searched: from a heading to the next one. */
export interface Part {
  readonly page: string;
  readonly title: string;
  readonly href: string;
  readonly text: string;
}

/** The parts of the page that is served as `name`. */
export function partsOf(markdown: string, name: string): readonly Part[] {
  const page = titleOf(markdown);
  return markdown.split(/^(?=##? )/m).map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const title = heading.replace(/^#+ /, '');
    const href = title === page ? name : `${name}#${headingId(title)}`;
    const text = lines
      .join(' ')
      .replaceAll(/\]\([^)]*\)|[`*[\]|]/g, '')
      .replaceAll(/\s+/g, ' ');
    return { page, title: title.replaceAll('`', ''), href, text };
  });
}

interface PageLink {
  readonly title: string;
  readonly href: string;
}

/** The links of the index without its words about each. */
const linksOf = (index: string): readonly PageLink[] =>
  Array.from(index.matchAll(/^- \[(.*?)\]\((.*?)\)/gm), ([, title = '', target = '']) => ({
    title,
    href: toServedLink(target) ?? '',
  }));

const toLink = ({ title, href }: PageLink, attributes = ''): string =>
  `<a href="${escape(href)}"${attributes}>${escape(title)}</a>`;

/** Links to all pages, and below the one that is read to its parts. */
function navigation(links: readonly PageLink[], markdown: string): string {
  const current = titleOf(markdown);
  const parts = markedPage
    .lexer(markdown)
    .flatMap((token) => (token.type === 'heading' && token.depth === 2 ? [String(token.text)] : []))
    .map((text) => `<li>${toLink({ title: text.replaceAll('`', ''), href: `#${headingId(text)}` })}</li>`);
  const list = parts.length === 0 ? '' : `\n            <ul>${parts.join('')}</ul>`;
  const items = links.map((link) =>
    link.title === current
      ? `          <li>${toLink(link, ' aria-current="page"')}${list}</li>`
      : `          <li>${toLink(link)}</li>`,
  );
  return `        <ul>\n${items.join('\n')}\n        </ul>`;
}

const markedPage = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading) {
      return `<h${depth} id="${headingId(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang }: Tokens.Code) {
      const isOutput = lang?.endsWith(' output') === true;
      return `<pre${isOutput ? ' class="output"' : ''}><code>${escape(text)}</code></pre>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      const target = toServedLink(href);
      // Files of the clone are not served.
      return target === undefined ? text : `<a href="${escape(target)}">${text}</a>`;
    },
  },
});

/** The link among served pages, which are relative to each other; undefined: its target is not served. */
function toServedLink(href: string): string | undefined {
  if (/^https?:/.test(href) || href.startsWith('#')) return href;
  const [file = '', anchor] = href.split('#');
  const name = pageName(file);
  return name === undefined ? undefined : anchor === undefined ? name : `${name}#${anchor}`;
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
