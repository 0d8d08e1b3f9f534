import { useEffect, useState } from 'preact/hooks';
import { t } from '../../words/dialog-texts.ts';
import { Problem } from '../controls.tsx';
import { Dialog } from '../dialog.tsx';
import { toDiagramPage } from './diagrams.ts';

/** Code that a model wrote, and that can be looked at: HTML, SVG, or a diagram of Mermaid. */
export interface Previewed {
  readonly language: string;
  readonly code: string;
}

/** A frame that shows the page or the diagram of the code, and reaches neither this page nor any network. */
export function Preview({ language, code, onClose }: Previewed & { onClose: () => void }) {
  const [html, setHtml] = useState(language === 'mermaid' ? undefined : code);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (html === undefined) toDiagramPage(code).then(setHtml, () => setFailed(true));
  }, []);
  return (
    <Dialog title={language === 'mermaid' ? t.diagrams.diagram : t.chat.preview} onClose={onClose}>
      {language !== 'mermaid' && <p>{t.chat.previewNote}</p>}
      <Problem text={failed ? t.errors.unreachable : undefined} />
      {html !== undefined && (
        <iframe
          class="preview"
          title={t.chat.preview}
          src="page/preview"
          sandbox="allow-scripts"
          onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage(html, '*')}
        />
      )}
    </Dialog>
  );
}
