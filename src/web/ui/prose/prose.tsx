import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { importPart } from '../../api/connection.ts';
import { afterMs } from '../../state/after-ms.ts';
import { isDark } from '../../state/theme.ts';
import { lazyPart } from '../rendering/lazy-part.tsx';
import { memo } from '../rendering/memo.ts';
import { toPieces } from './blocks.ts';
import type * as Markdown from './markdown.ts';
import type { Previewed } from './preview.tsx';

const Preview = lazyPart(async () => (await import('./preview.tsx')).Preview);

/** The reader of Markdown, two fifths of the code that a chat needs; undefined until it is loaded. */
const markdownReader = signal<typeof Markdown | undefined>(undefined);

async function loadMarkdownReader(): Promise<void> {
  markdownReader.value ??= await importPart(() => import('./markdown.ts'));
}

const toHtml = (markdown: string, growing = false): string =>
  markdownReader.value?.toHtml(markdown, growing) ?? '';

/**
 * Markdown, shown. `growing`: the last block is still being written. Messages that were never near the screen are plain text: to
 * read the Markdown of hundreds of messages would stop the page for seconds.
 */
export function Prose({ text, growing = false }: { text: string; growing?: boolean }) {
  const [seen, setSeen] = useState(growing);
  const [inBlocks] = useState(growing);
  const [previewed, setPreviewed] = useState<Previewed>();
  const unseen = useRef<HTMLDivElement>(null);
  useEffect(
    () => (seen || unseen.current === null ? undefined : whenNear(unseen.current, () => setSeen(true))),
    [seen],
  );
  useEffect(() => {
    // Until then, and without it, the text is there as it was written.
    if (seen) loadMarkdownReader().catch(() => undefined);
  }, [seen]);
  if (!seen || markdownReader.value === undefined)
    return (
      <div ref={unseen} class="prose plain">
        {text}
      </div>
    );
  // A text that is whole is read at once: to clean each block by itself takes several times as long.
  const pieces = inBlocks || growing ? toPieces(text) : [{ markdown: text }];
  const lastBegun = pieces.findLastIndex(({ goesOn }) => goesOn !== 'rows');
  return (
    <>
      <div class="prose" onClick={(event) => markdownReader.value?.buttonClicked(event, setPreviewed)}>
        {pieces.map(({ markdown, goesOn }, index) =>
          goesOn === 'rows' ? (
            <Continuation key={index} markdown={markdown} />
          ) : (
            <Block key={index} markdown={markdown} name={goesOn} finished={!growing || index < lastBegun} />
          ),
        )}
      </div>
      {previewed !== undefined && <Preview {...previewed} onClose={() => setPreviewed(undefined)} />}
    </>
  );
}

let turn: Promise<unknown> = Promise.resolve();
const callbacks = new WeakMap<Element, () => void>();
const observers = new WeakMap<Element, IntersectionObserver>();

/**
 * Calls `callback` once `element` comes near to the seen part of the thread, until the function that comes back is
 * called. Near, and not in sight: a change of height in sight would move the text that is being read.
 */
function whenNear(element: Element, callback: () => void): () => void {
  // A margin counts at the edges of this box only, and not at those of a box within it that scrolls.
  const root = element.closest('.thread') ?? document.documentElement;
  const observer = observers.get(root) ?? new IntersectionObserver(tellNear, { root, rootMargin: '1200px' });
  observers.set(root, observer);
  callbacks.set(element, callback);
  observer.observe(element);
  return () => observer.unobserve(element);
}

function tellNear(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    // One after the other, each in a task of its own: several long ones would hold up a frame.
    if (isIntersecting) turn = turn.then(() => afterMs()).then(callbacks.get(target));
  }
}

interface BlockProps {
  readonly markdown: string;
  /** For the style sheet. */
  readonly name: string | undefined;
  /** Whether nothing will be added to it. */
  readonly finished: boolean;
}

const Block = memo(({ markdown, name, finished }: BlockProps) => {
  const element = useRef<HTMLDivElement>(null);
  const html = useMemo(() => toHtml(markdown, !finished), [markdown, finished]);
  useEffect(() => {
    if (element.current === null) return;
    if (!finished) markdownReader.value?.prepare(element.current);
    // Without colours and set formulas the text is there all the same.
    else markdownReader.value?.enhance(element.current).catch(() => undefined);
  }, [html, finished]);
  useEffect(() => {
    if (finished && element.current !== null)
      markdownReader.value?.drawDiagrams(element.current).catch(() => undefined);
  }, [html, finished, isDark.value]);
  return (
    <div
      ref={element}
      class={finished ? name : `${name ?? ''} growing`}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

/** More rows of the table, or lines of the code, that stands before: they are put there, so that the whole stays one. */
const Continuation = memo(({ markdown }: { markdown: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const read = document.createElement('template');
    read.innerHTML = toHtml(markdown);
    const code = read.content.querySelector('pre code')?.textContent;
    const added = code === undefined ? [...read.content.querySelectorAll('tbody tr')] : toLines(code);
    let begun = place.current?.previousElementSibling;
    while (begun?.matches('[hidden]') === true) begun = begun.previousElementSibling;
    const whole = begun?.querySelector(code === undefined ? 'tbody' : 'pre code');
    whole?.classList.add('goes-on');
    whole?.append(...added);
    return () => added.forEach((one) => one.remove());
  }, [markdown]);
  return <div ref={place} hidden />;
});

/** Lines of code as a block of their own, so that those above it need no new layout; a copy has the break between. */
function toLines(code: string): HTMLElement[] {
  if (code === '') return [];
  const lineBreak = document.createElement('span');
  lineBreak.hidden = true;
  lineBreak.textContent = '\n';
  const lines = document.createElement('span');
  lines.className = 'lines';
  lines.textContent = code;
  return [lineBreak, lines];
}
