import { t } from '../../words/dialog-texts.ts';
import { Dialog } from '../overlays/dialog.tsx';
import { EnlargedDiagram } from './diagrams/enlarged-diagram.tsx';

/** Code that a model wrote, and that can be looked at: HTML, SVG, or a diagram of Mermaid. */
export interface Previewed {
  readonly language: string;
  readonly code: string;
}

/** A frame that shows the page or the diagram of the code, and reaches neither this page nor any network. */
export const Preview = ({ language, code, onClose }: Previewed & { onClose: () => void }) =>
  language === 'mermaid' ? (
    <Dialog title={t.diagrams.diagram} onClose={onClose}>
      <EnlargedDiagram code={code} />
    </Dialog>
  ) : (
    <Dialog title={t.chat.preview} onClose={onClose}>
      <p>{t.chat.previewNote}</p>
      <iframe
        class="preview"
        title={t.chat.preview}
        src="page/preview"
        sandbox="allow-scripts"
        onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage(code, '*')}
      />
    </Dialog>
  );
