/** Loaded with its fonts when there is a first formula. */
import { renderToString } from 'katex';
import 'katex/dist/katex.min.css';

/** Sets the formula that is the text of `element`. One that cannot be read is shown as it was written. */
export function setFormula(element: HTMLElement): void {
  const tex = element.textContent ?? '';
  const displayMode = element.dataset['display'] === 'true';
  try {
    const html = renderToString(tex, { displayMode, trust: false, maxExpand: 200 });
    // The page's policy drops styles that stand in HTML, and allows those that are set one by one. Quotes in a
    // formula's own text are escaped.
    element.innerHTML = html.replaceAll(' style="', ' data-style="');
    for (const part of element.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
      part.style.cssText = part.dataset['style'] ?? '';
      delete part.dataset['style'];
    }
  } catch {
    const mark = displayMode ? '$$' : '$';
    element.textContent = `${mark}${tex}${mark}`;
  }
}
