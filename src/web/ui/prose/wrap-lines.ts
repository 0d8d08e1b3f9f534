const storageName = 'hearth-wraps-code';

/** Whether long lines of code are wrapped, in all code of the page; else they are scrolled. */
export const wrapsLines = (): boolean => localStorage.getItem(storageName) !== null;

/** Has the style sheet wrap long lines, or not, as was chosen last. */
export function applyWrapping(): void {
  document.documentElement.toggleAttribute('data-wraps-code', wrapsLines());
  for (const button of document.querySelectorAll('[data-wrap]'))
    button.setAttribute('aria-pressed', String(wrapsLines()));
}

export function turnWrapping(): void {
  if (wrapsLines()) localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, 'true');
  applyWrapping();
}
