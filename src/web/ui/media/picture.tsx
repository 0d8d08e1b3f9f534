import { useEffect, useState } from 'preact/hooks';
import { t } from '../../words/dialog-texts.ts';
import { Dialog } from '../overlays/dialog.tsx';
import './picture.css';

/** The address of `content` for as long as the component shows it. */
export function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined) return;
    const address = URL.createObjectURL(content);
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [content]);
  return url;
}

/** A picture, small; pressed, it opens as large as the screen allows. `content`: undefined while it is read. */
export function Picture({ content, name }: { content: Blob | undefined; name: string }) {
  const [open, setOpen] = useState(false);
  const url = useObjectUrl(content);
  return (
    <>
      <button type="button" class="picture" title={t.chat.enlarge(name)} onClick={() => setOpen(true)}>
        {url !== undefined && <img src={url} alt={name} />}
      </button>
      {open && url !== undefined && (
        <Dialog title={name} onClose={() => setOpen(false)}>
          <img class="enlarged" src={url} alt={name} />
        </Dialog>
      )}
    </>
  );
}
