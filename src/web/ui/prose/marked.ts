import { Marked, type TokenizerAndRendererExtension } from 'marked';
import { t } from '../../texts.ts';

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

const inlineFormula: TokenizerAndRendererExtension = {
  name: 'inlineFormula',
  level: 'inline',
  start: (text) => /\$|\\\(/.exec(text)?.index,
  tokenizer(text) {
    // A dollar before a digit and after a blank is most often money.
    const match = /^(?:\$\$([^$\n]+)\$\$|\$(?!\s)([^$\n]+?)(?<!\s)\$(?!\d)|\\\(([^\n]+?)\\\))/.exec(text);
    return match === null
      ? undefined
      : { type: 'inlineFormula', raw: match[0], tex: match[1] ?? match[2] ?? match[3] };
  },
  renderer: ({ tex }) => toFormula(String(tex), false),
};

/** A single tag without attributes: a line break, or letters above or below the line. */
const plainTag = /^<(?:br *\/?|\/?su[bp])>$/i;

/** Markdown as the page reads it: with formulas, and with HTML as the text that it is. */
export const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [displayFormula, inlineFormula],
  renderer: {
    // HTML in an answer is shown as text, save for the plain tags that Markdown has no sign for.
    html: ({ text }) => (plainTag.test(text) ? text : escape(text)),
    // A picture from elsewhere would tell another server who reads this.
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text === '' ? href : text)}</a>`,
    checkbox: ({ checked }) =>
      `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${checked ? t.chat.taskDone : t.chat.taskOpen}">`,
    code({ text, lang }) {
      const language = /^[\w+#-]{1,30}/.exec(lang ?? '')?.[0] ?? '';
      const preview = /^(?:html|svg|mermaid)$/i.test(language)
        ? `<button type="button" data-preview>${t.chat.preview}</button>`
        : '';
      return `<figure class="code"><figcaption>${language}${preview}<button type="button" data-copy>${t.shell.copy}</button></figcaption><pre tabindex="0"><code data-language="${language}">${escape(text)}</code></pre></figure>`;
    },
  },
});
