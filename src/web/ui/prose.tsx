import { memo } from 'preact/compat';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { nextTask } from '../state/next-task.ts';
import { t } from '../texts.ts';
import { copyText } from './controls.tsx';
import { toBlocks } from './blocks.ts';
import { Dialog } from './dialog.tsx';
import { enhance, toHtml } from './markdown.ts';

/**
 * Markdown, shown. `growing`: the last block is still being written. What was never near the screen is plain text: to
 * read the Markdown of hundreds of messages would stop the page for seconds.
 */
export function Prose({ text, growing = false }: { text: string; growing?: boolean }) {
  const [seen, setSeen] = useState(growing);
  const [inBlocks] = useState(growing);
  const [previewed, setPreviewed] = useState<string>();
  const unseen = useRef<HTMLDivElement>(null);
  useEffect(
    () => (seen || unseen.current === null ? undefined : whenNear(unseen.current, () => setSeen(true))),
    [seen],
  );
  if (!seen)
    return (
      <div ref={unseen} class="prose plain">
        {text}
      </div>
    );
  // A text that is whole is read at once: to clean each block by itself takes several times as long.
  const blocks = inBlocks || growing ? toBlocks(text) : [text];
  return (
    <>
      <div class="prose" onClick={(event) => codeClicked(event, setPreviewed)}>
        {blocks.map((block, index) => (
          <Block key={index} markdown={block} finished={!growing || index < blocks.length - 1} />
        ))}
      </div>
      {previewed !== undefined && <Preview html={previewed} onClose={() => setPreviewed(undefined)} />}
    </>
  );
}

let turn: Promise<unknown> = Promise.resolve();
const callbacks = new WeakMap<Element, () => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      // One after the other, each in a task of its own: several long ones would hold up a frame.
      if (isIntersecting) turn = turn.then(nextTask).then(callbacks.get(target));
    }
  },
  { rootMargin: '600px' },
);

/** Calls `callback` once `element` comes near the screen, until the function that comes back is called. */
function whenNear(element: Element, callback: () => void): () => void {
  callbacks.set(element, callback);
  observer.observe(element);
  return () => observer.unobserve(element);
}

const Block = memo(({ markdown, finished }: { markdown: string; finished: boolean }) => {
  const element = useRef<HTMLDivElement>(null);
  const html = useMemo(() => toHtml(markdown), [markdown]);
  useEffect(() => {
    // Without colours and set formulas the text is there all the same.
    if (finished && element.current !== null) enhance(element.current).catch(() => undefined);
  }, [html, finished]);
  return <div ref={element} dangerouslySetInnerHTML={{ __html: html }} />;
});

/** HTML or SVG that a model wrote, in a frame that reaches neither this page nor any network. */
function Preview({ html, onClose }: { html: string; onClose: () => void }) {
  return (
    <Dialog title={t.chat.preview} onClose={onClose}>
      <p>{t.chat.previewNote}</p>
      <iframe
        class="preview"
        title={t.chat.preview}
        src="page/preview"
        sandbox="allow-scripts"
        onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage(html, '*')}
      />
    </Dialog>
  );
}

/** The buttons of code blocks are part of the HTML, so one listener serves all of them. */
function codeClicked(event: MouseEvent, onPreview: (html: string) => void): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || !target.matches('[data-copy], [data-preview]')) return;
  const code = target.closest('figure')?.querySelector('code')?.textContent ?? '';
  if (target.matches('[data-preview]')) {
    onPreview(code);
    return;
  }
  void copyText(code).then(() => {
    target.textContent = t.shell.copied;
    setTimeout(() => {
      target.textContent = t.shell.copy;
    }, 1500);
  });
}
