import { Marked, Renderer, type TokenizerAndRendererExtension } from 'marked';
import { t } from '../../words/dialog-texts.ts';
import { readAlert, toAlert } from './syntax/alerts.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string) => text.replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char);

/** Formulas are marked here and set by `enhance`, because the library for them is loaded on demand. */
const toFormula = (tex: string, display: boolean) =>
  `<span class="formula" data-display="${display}">${escape(tex)}</span>`;

const displayFormula: TokenizerAndRendererExtension = {
  name: 'displayFormula',
  level: 'block',
  // In the middle of a line it is part of its paragraph.
  start: (text) => {
    const at = text.search(/\n(?:\$\$|\\\[)/);
    return at < 0 ? undefined : at + 1;
  },
  tokenizer(text) {
    const match = /^(?:\$\$([^$]+)\$\$|\\\[([\s\S]+?)\\\])(?:\n|$)/.exec(text);
    return match === null ? undefined : { type: 'displayFormula', raw: match[0], tex: match[1] ?? match[2] };
  },
  renderer: ({ tex }) => toFormula(String(tex), true),
};

/** Two dollars ask for the large form, in a line too. */
const toTex = ([, large, short, bracketed]: RegExpExecArray) =>
  large === undefined ? (short ?? bracketed) : `\\displaystyle ${large}`;

const inlineFormula: TokenizerAndRendererExtension = {
  name: 'inlineFormula',
  level: 'inline',
  start: (text) => /\$|\\\(/.exec(text)?.index,
  tokenizer(text) {
    // A dollar before a digit and after a blank is most often money.
    const match = /^(?:\$\$([^$\n]+)\$\$|\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)|\\\(([^\n]+?)\\\))/.exec(text);
    return match === null ? undefined : { type: 'inlineFormula', raw: match[0], tex: toTex(match) };
  },
  renderer: ({ tex }) => toFormula(String(tex), false),
};

/** Tags without attributes that Markdown has no sign for, as they are when escaped. */
const plainTags = /&lt;(br *\/?|\/?(?:sub|sup|kbd|details|summary))&gt;/gi;

/** A mark or its footnote, of which one leads to the other. Addresses of the page are those of its views. */
const toJump = (place: 'mark' | 'note', name: string, label: (name: string) => string) =>
  `<button type="button" class="plain-link" data-${place}="${name}" aria-label="${label(name)}">${name}</button>`;

/** A mark of a footnote in the text, and the footnote itself. */
const footnoteMark: TokenizerAndRendererExtension = {
  name: 'footnoteMark',
  level: 'inline',
  start: (text) => /\[\^/.exec(text)?.index,
  tokenizer(text) {
    const match = /^\[\^([\w-]{1,20})\](?!:)/.exec(text);
    return match === null ? undefined : { type: 'footnoteMark', raw: match[0], name: match[1] };
  },
  renderer: ({ name }) => `<sup>${toJump('mark', String(name), t.notes.note)}</sup>`,
};
const footnote: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  start: (text) => /^\[\^/m.exec(text)?.index,
  tokenizer(text) {
    const match = /^\[\^([\w-]{1,20})\]: *([^\n]*)(?:\n|$)/.exec(text);
    if (match === null) return undefined;
    return {
      type: 'footnote',
      raw: match[0],
      name: match[1],
      tokens: this.lexer.inlineTokens(match[2] ?? ''),
    };
  },
  renderer({ name, tokens = [] }) {
    return `<p class="footnote"><sup>${toJump('note', String(name), t.notes.back)}</sup> ${this.parser.parseInline(tokens)}</p>`;
  },
};

const copyButton = `<button type="button" data-copy>${t.shell.copy}</button>`;

/** Pictures that are in the text itself. */
export const inText = /^data:image\/(?:png|jpeg|gif|webp);base64,/i;

/** A picture, or in place of one that is elsewhere a card: to load it would tell another server who reads this. */
function toPicture(href: string, text: string): string {
  if (inText.test(href)) return `<img src="${escape(href)}" alt="${escape(text)}">`;
  const name = `<strong>${escape(nameOf(text))}</strong>`;
  const host = /^https?:/i.test(href) && URL.canParse(href) ? new URL(href).host : '';
  if (host === '') return `<span class="far-picture">${name}<span>${t.pictures.nowhere}</span></span>`;
  const about = `<span>${escape(t.pictures.notLoaded(host))}</span><em>${escape(t.pictures.open(host))}</em>`;
  return `<a class="far-picture" href="${escape(href)}">${name}${about}</a>`;
}

const nameOf = (text: string) => (text === '' ? t.pictures.unnamed : t.pictures.named(text));

/** In characters of its longest line: such code fits nearly everywhere, and such code only on a wide screen. */
const [shortLine, wideLine] = [36, 76];

/** Where lines are too long for some screens. */
function wrapButton(code: string): string {
  const longest = Math.max(...code.split('\n').map((line) => line.length));
  if (longest <= shortLine) return '';
  const where = longest <= wideLine ? 'narrow' : '';
  return `<button type="button" data-wrap="${where}" aria-pressed="false">${t.chat.wrapLines}</button>`;
}

/** Markdown as the page reads it: with formulas, and with HTML as the text that it is. */
export const marked: Marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [displayFormula, inlineFormula, footnote, footnoteMark],
  renderer: {
    // HTML in an answer is shown as text, save for the plain tags that Markdown has no sign for.
    html: ({ text }) => escape(text).replaceAll(plainTags, '<$1>'),
    image: ({ href, text }) => toPicture(href, text),
    // The card of a picture is a link itself: in a link, its name stands for it.
    link(link) {
      const tokens = link.tokens.map((token) =>
        token.type === 'image' && !inText.test(String(token['href']))
          ? { type: 'text', raw: token.raw, text: nameOf(String(token['text'])) }
          : token,
      );
      return Renderer.prototype.link.call(this, { ...link, tokens });
    },
    blockquote(quote) {
      const alert = readAlert(quote.text);
      if (alert === undefined) return Renderer.prototype.blockquote.call(this, quote);
      return toAlert(alert.kind, marked.parse(alert.text, { async: false }));
    },
    // Items tell by a class whether they are tasks, or one line: by :has() a browser would style all of them anew with each
    // piece of an answer.
    listitem(item) {
      const html = Renderer.prototype.listitem.call(this, item);
      const hasBlocks = /<(?:li|p)\b/.test(html.slice('<li>'.length));
      return html.replace('<li', `<li class="${item.task ? 'task ' : ''}${hasBlocks ? '' : 'line'}"`);
    },
    checkbox: ({ checked }) =>
      `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${checked ? t.chat.taskDone : t.chat.taskOpen}">`,
    // Its button is the last of it, since a text begins on the side of its first letters.
    table(table) {
      return `<div class="table">${Renderer.prototype.table.call(this, table)}${copyButton}</div>`;
    },
    code({ text, lang }) {
      const language = /^[\w+#-]{1,30}/.exec(lang ?? '')?.[0] ?? '';
      const isDiagram = /^mermaid$/i.test(language);
      const preview =
        isDiagram || /^(?:html|svg)$/i.test(language)
          ? `<button type="button" data-preview>${isDiagram ? t.chat.enlarge('') : t.chat.preview}</button>`
          : '';
      const source = isDiagram
        ? `<button type="button" data-source aria-pressed="false">${t.chat.source}</button>`
        : '';
      return `<figure class="code"><figcaption>${isDiagram ? t.diagrams.diagram : language}${preview}${source}${isDiagram ? '' : wrapButton(text)}${copyButton}</figcaption><pre tabindex="0"><code data-language="${language}">${escape(text)}</code></pre></figure>`;
    },
  },
});
