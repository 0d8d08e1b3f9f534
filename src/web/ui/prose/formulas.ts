/** Loaded with its fonts when there is a first formula. */
import { render } from 'katex';
import 'katex/dist/katex.min.css';

/** Sets the formula that is the text of `element`. One that cannot be read is shown as it was written. */
export function setFormula(element: HTMLElement): void {
  const tex = element.textContent ?? '';
  const displayMode = element.dataset['display'] === 'true';
  try {
    // It sets styles one by one, which the page's policy allows; as HTML with styles in it they would be dropped.
    render(tex, element, {
      displayMode,
      trust: false,
      maxExpand: 200,
    });
  } catch {
    const mark = displayMode ? '$$' : '$';
    element.textContent = `${mark}${tex}${mark}`;
  }
}
