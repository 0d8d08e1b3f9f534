/** Loaded with the first diagram. */
import scriptAddress from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { isDark } from '../../../state/theme.ts';
import { t } from '../../../words/dialog-texts.ts';

/** In pixels; a higher diagram scrolls. */
const mostHeight = 600;

/** The library, fetched once; again where that failed. */
export async function diagramScript(): Promise<string> {
  fetched ??= fetch(scriptAddress).then((answer) => answer.text());
  fetched.catch(() => (fetched = undefined));
  return await fetched;
}
let fetched: Promise<string> | undefined;

/** In CSS, by the code of each diagram that was drawn: it has its place from the start when it is drawn again. */
const heights = new Map<string, string>();

/**
 * Shows the diagram that the code in `figure` describes in its place, where that code is seen until it is drawn. Code that is
 * no diagram stays, with a line that says so.
 */
export async function drawDiagram(figure: HTMLElement): Promise<void> {
  const code = figure.querySelector('code')?.textContent ?? '';
  // A drawing in another theme stays until the new one is there.
  const old = figure.querySelectorAll('iframe, .note');
  const height = heights.get(code);
  const hasPlace = old.length === 0 && height !== undefined;
  if (hasPlace) figure.classList.add('drawn');
  const html = await toDiagramPage(code);
  const frame = Object.assign(document.createElement('iframe'), {
    src: 'page/preview',
    title: t.diagrams.diagram,
  });
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.className = hasPlace ? 'diagram' : 'diagram coming';
  if (hasPlace) frame.style.height = height;
  const heard = ({ source, data }: MessageEvent<unknown>) => {
    if (!frame.isConnected) removeEventListener('message', heard);
    if (source !== frame.contentWindow) return;
    const heightPx = Number((data as { height?: unknown } | null)?.height);
    for (const one of old) one.remove();
    if (heightPx > 0) {
      // The text below it is not moved up.
      if (!figure.classList.contains('drawn')) figure.style.minHeight = `${figure.offsetHeight}px`;
      frame.style.height = `${Math.min(mostHeight, heightPx)}px`;
      heights.set(code, frame.style.height);
      frame.classList.remove('coming');
      figure.classList.add('drawn');
    } else frame.replaceWith(Object.assign(document.createElement('p'), note));
  };
  addEventListener('message', heard);
  frame.addEventListener('load', () => frame.contentWindow?.postMessage(html, '*'), { once: true });
  figure.append(frame);
}

/** The page's colours. */
const themes = {
  dark: `theme: 'base', themeVariables: { darkMode: true, background: '#221e1a', primaryColor: '#47301f', primaryBorderColor: '#c98a63', primaryTextColor: '#efe8df', lineColor: '#b5a899', secondaryColor: '#332c25', tertiaryColor: '#2a2520' }`,
  light: `theme: 'base', themeVariables: { primaryColor: '#f9e6da', primaryBorderColor: '#c98a63', primaryTextColor: '#26211c', lineColor: '#6d6258', secondaryColor: '#f2eee7', tertiaryColor: '#f9f8f4' }`,
};

const note = { className: 'note', textContent: t.diagrams.noDiagram };

/** How its picture is in the frame: as high as it is at the width of the frame, or filling it. */
type Fitting = 'in its width' | 'whole';

/**
 * A document that draws `diagram` once it has a width, without which nothing can be measured, or names its fault. It
 * tells the height that it takes whenever that changes, or, where the picture fills the frame, once the size that the
 * picture has by itself; a height of 0: it is no diagram. It has the library in it, since its frame loads nothing.
 */
export async function toDiagramPage(diagram: string, fitting: Fitting = 'in its width'): Promise<string> {
  const isWhole = fitting === 'whole';
  const script = await diagramScript();
  const font = await ownFont();
  const draw = `mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true, ${themes[isDark.value ? 'dark' : 'light']}, fontFamily: 'Figtree, system-ui' });
    const tell = (height, width) => parent.postMessage({ height, width }, '*');
    const tellTaken = () => tell(document.body.offsetHeight + 32);
    const tellOwn = ({ width, height }) => tell(height, width);
    const seen = innerWidth > 0 ? undefined : new Promise((done) => addEventListener('resize', done, { once: true }));
    Promise.all([seen, document.fonts.load('16px Figtree')]).then(() => mermaid.render('diagram', ${JSON.stringify(diagram)})).then(
      ({ svg }) => { document.body.innerHTML = svg; ${isWhole ? `tellOwn(document.querySelector('svg').viewBox.baseVal)` : 'tellTaken(); new ResizeObserver(tellTaken).observe(document.body)'}; },
      (error) => { document.body.textContent = ${JSON.stringify(`${t.diagrams.noDiagram} ${t.diagrams.mermaidSays}`)} + error.message; tell(0); });`;
  const inline = (text: string) =>
    `<script>${text.replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`)}</script>`;
  const [background, text] = isDark.value ? ['#221e1a', '#efe8df'] : ['#fff', '#26211c'];
  const whole = isWhole
    ? 'svg { display: block; width: calc(100vw - 2rem); max-width: none !important; height: calc(100vh - 2rem) }'
    : '';
  const labels = `.edgeLabel p, .labelBkg { background: ${background} !important }`;
  return `<!doctype html><meta charset="utf-8"><style>${font} body { margin: 1rem; font: 15px Figtree, system-ui; text-align: center; white-space: pre-wrap; background: ${background}; color: ${text} } ${labels} ${whole}</style>
    <body>${inline(script)}${inline(draw)}`;
}

/** The rule of the page's own letters, with them in it: words in a diagram look like those around it. */
async function ownFont(): Promise<string> {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const rule = rules.find((one) => one instanceof CSSFontFaceRule);
  const address = /url\("?([^")]+)/.exec(rule?.cssText ?? '')?.[1];
  if (rule === undefined || address === undefined) return '';
  const sheet = rule.parentStyleSheet?.href ?? document.baseURI;
  const letters = await (await fetch(new URL(address, sheet))).blob();
  const reader = new FileReader();
  reader.readAsDataURL(letters);
  await new Promise((resolve) => reader.addEventListener('loadend', resolve));
  return typeof reader.result === 'string' ? rule.cssText.replace(address, reader.result) : '';
}
