import { t } from '../../../words/dialog-texts.ts';
import './drop-note.css';

/** Over the thread and the composer while a file is dragged over the page: wherever it is dropped, it is attached. */
export function DropNote() {
  const { left, top, width, height } =
    document.querySelector('.conversation')?.getBoundingClientRect() ?? new DOMRect();
  const style = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  return (
    <p class="drop-note" style={style}>
      <span>{t.attachments.drop}</span>
    </p>
  );
}
