import { useEffect, useRef, useState } from 'preact/hooks';

/** Whether a file is dragged over the page, anywhere on which it may be dropped. */
export function useDrop(onFiles: (files: FileList | undefined) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useRef(onFiles);
  drop.current = onFiles;
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    // Text that is dragged goes where the browser puts it.
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const left = ({ relatedTarget }: DragEvent) => setIsOver(relatedTarget !== null);
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      drop.current(event.dataTransfer?.files);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', left, { signal });
    addEventListener('drop', dropped, { signal });
    return () => leaving.abort();
  }, []);
  return isOver;
}
