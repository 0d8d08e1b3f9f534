import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../words/dialog-texts.ts';
import { Button, Problem } from '../../controls.tsx';
import { toDiagramPage } from './diagrams.ts';
import './enlarged-diagram.css';

/** In pixels, without a scale. */
interface Size {
  readonly width: number;
  readonly height: number;
}

const marginsPx = 32;
/** The letters of most diagrams have 16 pixels, and 12 at this scale: smaller ones are hard to read. */
const readable = 0.75;
const step = 1.25;
const [farthest, nearest] = [0.25, 8];

const toLength = (picturePx: number) => `${picturePx + marginsPx}px`;

/** The scale at which all of a picture of `size` is seen in `box`, however small it is then. */
const fitIn = (box: HTMLElement, { width, height }: Size): number =>
  Math.min((box.clientWidth - marginsPx) / width, (box.clientHeight - marginsPx) / height);

/** All of it where it can be read so; otherwise a part, to be scrolled, no larger than by itself. */
function firstScale(box: HTMLElement, { width, height }: Size): number {
  const fit = fitIn(box, { width, height });
  if (fit >= readable) return fit;
  const shorter = Math.max((box.clientWidth - marginsPx) / width, (box.clientHeight - marginsPx) / height);
  return Math.min(1, Math.max(readable, shorter));
}

/** A diagram as large as it can be read, which is scrolled, and becomes larger and smaller by buttons and keys. */
export function EnlargedDiagram({ code }: { code: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [html, setHtml] = useState<string>();
  const [failed, setFailed] = useState(false);
  const { frame, size } = useDrawnSize();
  const { scale, zoom } = useZoom(box, size || undefined);
  useEffect(() => void toDiagramPage(code, 'whole').then(setHtml, () => setFailed(true)), []);
  return (
    <div class="enlarged-diagram">
      <Problem text={failed ? t.errors.unreachable : undefined} />
      <div ref={box} class="scrolled" tabindex={0} autofocus>
        {html !== undefined && (
          <iframe
            ref={frame}
            class={size === undefined ? undefined : size ? 'drawn' : 'undrawable'}
            style={
              size
                ? { width: toLength(size.width * scale), height: toLength(size.height * scale) }
                : undefined
            }
            title={t.diagrams.diagram}
            src="page/preview"
            sandbox="allow-scripts"
            onLoad={({ currentTarget }) => currentTarget.contentWindow?.postMessage(html, '*')}
          />
        )}
      </div>
      {size && (
        <div class="zoom" role="group" aria-label={t.diagrams.size}>
          <Button text="−" aria-label={t.diagrams.smaller} onClick={() => zoom('-')} />
          <Button text={t.diagrams.whole} onClick={() => zoom('0')} />
          <Button text="+" aria-label={t.diagrams.larger} onClick={() => zoom('+')} />
        </div>
      )}
    </div>
  );
}

/** The size of the picture that the frame has drawn; false: it could not draw it, and says why. */
function useDrawnSize() {
  const frame = useRef<HTMLIFrameElement>(null);
  const [size, setSize] = useState<Size | false>();
  useEffect(() => {
    const heard = ({ source, data }: MessageEvent<Partial<Size> | null>) => {
      if (source !== frame.current?.contentWindow) return;
      const [width, height] = [Number(data?.width), Number(data?.height)];
      setSize(width > 0 && height > 0 && { width, height });
    };
    addEventListener('message', heard);
    return () => removeEventListener('message', heard);
  }, []);
  return { frame, size };
}

/** The scale of a picture of `size` in `box`, changed by the keys +, − and 0; the middle stays in place. */
function useZoom(box: { readonly current: HTMLElement | null }, size: Size | undefined) {
  const [scale, setScale] = useState(1);
  const middle = useRef([0, 0]);
  const zoom = (key: string) => {
    const scrolled = box.current;
    if (scrolled === null || size === undefined) return;
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = scrolled;
    middle.current = [
      (scrollLeft + clientWidth / 2) / scrollWidth,
      (scrollTop + clientHeight / 2) / scrollHeight,
    ];
    const fit = fitIn(scrolled, size);
    setScale((old) => {
      const next = { '+': old * step, '=': old * step, '-': old / step, '0': fit }[key] ?? old;
      return Math.min(Math.max(nearest, fit), Math.max(Math.min(farthest, fit), next));
    });
  };
  useLayoutEffect(() => {
    if (box.current !== null && size !== undefined) setScale(firstScale(box.current, size));
    const pressed = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
      ctrlKey || metaKey || altKey || zoom(key);
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [size]);
  useLayoutEffect(() => {
    const scrolled = box.current;
    const [x = 0, y = 0] = middle.current;
    scrolled?.scrollTo(
      x * scrolled.scrollWidth - scrolled.clientWidth / 2,
      y * scrolled.scrollHeight - scrolled.clientHeight / 2,
    );
  }, [scale]);
  return { scale, zoom };
}
