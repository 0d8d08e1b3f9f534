import diagramScript from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { Problem } from '../controls.tsx';
import { Dialog } from '../dialog.tsx';

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
    <Dialog title={t.chat.preview} onClose={onClose}>
      <p>{t.chat.previewNote}</p>
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

/** A document that draws `diagram`, or says what is wrong with it. It has the library in it, since its frame loads nothing. */
async function toDiagramPage(diagram: string): Promise<string> {
  const script = await (await fetch(diagramScript)).text();
  const draw = `mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true });
    mermaid.render('diagram', ${JSON.stringify(diagram)}).then(
      ({ svg }) => { document.body.innerHTML = svg; },
      (error) => { document.body.textContent = error.message; });`;
  const inline = (text: string) =>
    `<script>${text.replaceAll(/<(?=\/script|!--)/gi, String.raw`\x3c`)}</script>`;
  return `<!doctype html><meta charset="utf-8"><style>body { margin: 1rem; font: 15px system-ui; text-align: center; white-space: pre-wrap }</style>
    <body>${inline(script)}${inline(draw)}`;
}
