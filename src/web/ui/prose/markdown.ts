import DOMPurify from 'dompurify';
import { Marked, type TokenizerAndRendererExtension } from 'marked';
import { importPart } from '../../api/connection.ts';
import { t } from '../../texts.ts';
import { toBlocks } from './blocks.ts';

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

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [displayFormula, inlineFormula],
  renderer: {
    // What a model writes as HTML is shown as text, save for what Markdown itself lacks.
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

const purifier = DOMPurify(window);
purifier.addHook('uponSanitizeAttribute', (_, data) => {
  // The purifier's own rule for addresses would hold for the values of all attributes.
  if (data.attrName === 'href' && !/^(?:https?|mailto):/i.test(data.attrValue)) data.keepAttr = false;
});
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/**
 * Markdown as HTML that can do nothing: no scripts, styles, pictures or addresses other than http, https and mailto.
 * Each block is written from the side that its own text begins at.
 */
export function toHtml(markdown: string): string {
  const blocks = toBlocks(markdown).map((block) => marked.parse(block, { async: false }));
  return purifier.sanitize(blocks.map((html) => `<div dir="auto">${html}</div>`).join(''), {
    ALLOWED_TAGS: (
      'a b blockquote br button code del div em figcaption figure h1 h2 h3 h4 h5 h6 hr i input li ol p pre span strong ' +
      'sub sup table tbody td th thead tr ul'
    ).split(' '),
    ALLOWED_ATTR: [
      'href',
      'class',
      'start',
      'type',
      'aria-label',
      'checked',
      'disabled',
      'align',
      'dir',
      'tabindex',
      'target',
      'rel',
    ],
  });
}

/** Colours the code and sets the formulas of `element`; loads what that takes when it is first needed. */
export async function enhance(element: HTMLElement): Promise<void> {
  await Promise.all([colourCode(element), setFormulas(element)]);
}

async function colourCode(element: HTMLElement): Promise<void> {
  const codes = element.querySelectorAll<HTMLElement>('code[data-language]:not([data-language=""])');
  if (codes.length === 0) return;
  const { default: highlighter } = await importPart(() => import('highlight.js/lib/common'));
  for (const code of codes) {
    const language = code.dataset['language'] ?? '';
    const text = code.textContent ?? '';
    if (highlighter.getLanguage(language) === undefined || text.length > 50_000) continue;
    code.innerHTML = highlighter.highlight(text, { language, ignoreIllegals: true }).value;
  }
}

async function setFormulas(element: HTMLElement): Promise<void> {
  const formulas = element.querySelectorAll<HTMLElement>('.formula');
  if (formulas.length === 0) return;
  const { setFormula } = await importPart(() => import('./formulas.ts'));
  for (const formula of formulas) setFormula(formula);
}
