import { t } from '../../words/dialog-texts.ts';
import { copyText } from '../copy-text.ts';
import type { Previewed } from './preview.tsx';
import { turnWrapping } from './wrap-lines.ts';

/** The buttons of code, diagrams and tables are part of the HTML, so one listener serves all of them. */
export function buttonClicked({ target }: MouseEvent, onPreview: (previewed: Previewed) => void): void {
  if (!(target instanceof HTMLElement)) return;
  const shown = target.closest('figure')?.querySelector('code');
  const code = shown?.textContent ?? '';
  if (target.matches('[data-source]')) {
    const isSource = target.closest('figure')?.classList.toggle('as-source');
    target.setAttribute('aria-pressed', String(isSource));
  } else if (target.matches('[data-preview]')) {
    onPreview({ language: (shown?.dataset['language'] ?? '').toLowerCase(), code });
  } else if (target.matches('[data-wrap]')) turnWrapping();
  else if (target.matches('[data-mark], [data-note]')) jump(target);
  else if (target.matches('[data-copy]')) {
    const table = target.parentElement?.querySelector('table');
    void tellCopied(target, table ? copyTable(table) : copyText(code));
  }
}

/** From the mark of a footnote to that, and back to the mark. */
function jump(from: HTMLElement): void {
  const { mark, note } = from.dataset;
  const there = mark === undefined ? `[data-mark="${note}"]` : `[data-note="${mark}"]`;
  from.closest('.prose')?.querySelector<HTMLElement>(there)?.focus();
}

async function tellCopied(button: HTMLElement, copying: Promise<boolean>): Promise<void> {
  button.textContent = (await copying) ? t.shell.copied : t.shell.notCopied;
  setTimeout(() => {
    button.textContent = t.shell.copy;
  }, 1500);
}

/** For a text editor or a spreadsheet, whose cells tabs and lines are, and with its looks for whoever takes those. */
async function copyTable(shown: HTMLTableElement): Promise<boolean> {
  const table = shown.cloneNode(true) as HTMLTableElement;
  table.removeAttribute('tabindex');
  for (const formula of table.querySelectorAll('.formula'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? formula.textContent);
  const textOf = (cell: HTMLTableCellElement) => {
    for (const lineBreak of cell.querySelectorAll('br')) lineBreak.replaceWith(' ');
    return cell.textContent.trim().replaceAll(/\s+/g, ' ');
  };
  const html = table.outerHTML;
  const text = [...table.rows].map(({ cells }) => [...cells].map(textOf).join('\t')).join('\n');
  try {
    const toBlob = (type: string, content: string) => [type, new Blob([content], { type })];
    const forms = Object.fromEntries([toBlob('text/plain', text), toBlob('text/html', html)]) as Record<
      string,
      Blob
    >;
    await navigator.clipboard.write([new ClipboardItem(forms)]);
    return true;
  } catch {
    return await copyText(text);
  }
}
