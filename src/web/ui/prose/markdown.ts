import DOMPurify from 'dompurify';
import { importPart } from '../../api/connection.ts';
import { withClosedMarks } from './syntax/begun-marks.ts';
import { withBegunTable } from './syntax/begun-table.ts';
import { toBlocks } from './blocks.ts';
import { inText, marked } from './marked.ts';
import { applyWrapping, wrapsLines } from './wrap-lines.ts';
import './prose.css';
import './additions.css';

export { buttonClicked } from './block-buttons.ts';

applyWrapping();

const purifier = DOMPurify(window);
purifier.addHook('uponSanitizeAttribute', (_, data) => {
  // The purifier's own rule for addresses would hold for the values of all attributes.
  if (data.attrName === 'href' && !/^(?:https?|mailto):/i.test(data.attrValue)) data.keepAttr = false;
  if (data.attrName === 'src' && !inText.test(data.attrValue)) data.keepAttr = false;
});
purifier.addHook('afterSanitizeAttributes', (node) => {
  // A wide one is scrolled with the keyboard too.
  if (node.tagName === 'TABLE') node.setAttribute('tabindex', '0');
  if (node.hasAttribute('data-wrap')) node.setAttribute('aria-pressed', String(wrapsLines()));
  if (node.tagName !== 'A') return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/**
 * Markdown as HTML that can do nothing: no scripts, styles, pictures from elsewhere or addresses other than http, https and mailto.
 * Each block is written from the side that its own text begins at. `growing`: its end is being written.
 */
export function toHtml(markdown: string, growing = false): string {
  const blocks = toBlocks(growing ? withBegunTable(withClosedMarks(markdown)) : markdown).map((block) =>
    marked.parse(block, { async: false }),
  );
  return purifier.sanitize(blocks.map((html) => `<div dir="auto">${html}</div>`).join(''), {
    ALLOWED_TAGS: (
      'a b blockquote br button code del details div em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input kbd li ol p pre span strong ' +
      'sub summary sup table tbody td th thead tr ul'
    ).split(' '),
    ALLOWED_ATTR: [
      'href',
      'src',
      'alt',
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

/** Colours the code and sets the formulas of `element`; loads the code for that when it is first needed. */
export async function enhance(element: HTMLElement): Promise<void> {
  await Promise.all([colourCode(element), setFormulas(element)]);
}

/** Loads the code that the block in `element` will need at its end, while it is written: it is drawn at once then. */
export function prepare(element: HTMLElement): void {
  const language = element.querySelector<HTMLElement>('pre code')?.dataset['language']?.toLowerCase();
  const loads =
    language === 'mermaid'
      ? importPart(() => import('./diagrams/diagrams.ts')).then(({ diagramScript }) => diagramScript())
      : language !== undefined && language !== ''
        ? importPart(() => import('highlight.js/lib/common'))
        : language === undefined && /\$|\\[([]/.test(element.textContent ?? '')
          ? importPart(() => import('./syntax/formulas.ts'))
          : undefined;
  // The code that shows the block says what is wrong.
  loads?.catch(() => undefined);
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

/** Draws the diagrams of `element` in the colours of now. */
export async function drawDiagrams(element: HTMLElement): Promise<void> {
  const figures = [...element.querySelectorAll<HTMLElement>('figure.code')].filter(
    (figure) => figure.querySelector('code')?.dataset['language']?.toLowerCase() === 'mermaid',
  );
  if (figures.length === 0) return;
  const { drawDiagram } = await importPart(() => import('./diagrams/diagrams.ts'));
  for (const figure of figures) await drawDiagram(figure);
}

async function setFormulas(element: HTMLElement): Promise<void> {
  const formulas = element.querySelectorAll<HTMLElement>('.formula');
  if (formulas.length === 0) return;
  const { setFormula } = await importPart(() => import('./syntax/formulas.ts'));
  for (const formula of formulas) setFormula(formula);
}
