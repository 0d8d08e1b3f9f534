import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../words/dialog-texts.ts';
import { Button } from '../../../ui/controls.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import './drawing.css';

/** The first is chosen. */
const colours = ['black', 'red', 'orange', 'gold', 'green', 'blue', 'purple'] as const;
/** White on a white sheet rubs out. */
const rubber = 'white';
type Colour = (typeof colours)[number] | typeof rubber;

const penPx = 8;
const rubberPx = 36;

/** The drawing that was begun and not attached: it is there again when the pad is opened again. */
let unfinished: readonly Stroke[] = [];

interface Props {
  readonly onAttach: (drawing: File) => void;
  readonly onClose: () => void;
}

/** A white sheet to draw on with a mouse, a finger or a pen; the drawing is attached as a PNG. */
export function DrawingPad({ onAttach, onClose }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [colour, setColour] = useState<Colour>('black');
  const { strokes, setStrokes, begin, go, end } = useStrokes(canvas, colour);
  const isEmpty = strokes.length === 0;
  const [isTaken, setTaken] = useState(false);
  const attach = () => {
    setTaken(true);
    canvas.current?.toBlob((drawing) => {
      if (drawing !== null) {
        onAttach(new File([drawing], t.drawing.fileName, { type: 'image/png' }));
        unfinished = [];
      }
      onClose();
    });
  };
  return (
    <Dialog
      title={t.drawing.title}
      onClose={onClose}
      actions={
        <>
          <Button disabled={isEmpty} text={t.drawing.undo} onClick={() => setStrokes(strokes.slice(0, -1))} />
          <Button disabled={isEmpty} text={t.drawing.clear} onClick={() => setStrokes([])} />
          <span class="spacer" />
          <Button class="primary" disabled={isEmpty || isTaken} text={t.drawing.attach} onClick={attach} />
        </>
      }
    >
      <Colours chosen={colour} onChoose={setColour} />
      <canvas
        ref={canvas}
        class="sheet"
        width={sidePx}
        height={sidePx}
        role="img"
        aria-label={t.drawing.sheet}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      />
    </Dialog>
  );
}

/** The strokes on `canvas`, and the handlers for a pointer that begins, continues and ends another one in `colour`. */
function useStrokes(canvas: RefObject<HTMLCanvasElement | null>, colour: Colour) {
  const [strokes, setStrokes] = useState(unfinished);
  const begun = useRef<Stroke>(undefined);
  const contextOf = () => canvas.current?.getContext('2d') ?? undefined;
  useEffect(() => {
    unfinished = strokes;
    const context = contextOf();
    if (context !== undefined) drawAll(context, strokes);
  }, [strokes]);
  const go = (event: PointerEvent) => {
    const context = contextOf();
    if (begun.current === undefined || context === undefined) return;
    const from = begun.current.points.length;
    begun.current.points.push(...pointsOf(event));
    drawFrom(context, begun.current, from);
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return;
    canvas.current?.setPointerCapture(event.pointerId);
    begun.current = { colour, widthPx: colour === rubber ? rubberPx : penPx, points: [] };
    go(event);
  };
  const end = () => {
    const stroke = begun.current;
    begun.current = undefined;
    if (stroke !== undefined) setStrokes((others) => [...others, stroke]);
  };
  return { strokes, setStrokes, begin, go, end };
}

function Colours({ chosen, onChoose }: { chosen: Colour; onChoose: (colour: Colour) => void }) {
  return (
    <div class="colours" role="group" aria-label={t.drawing.colour}>
      {colours.map((colour) => (
        <button
          key={colour}
          type="button"
          aria-label={t.drawing.colours[colour]}
          title={t.drawing.colours[colour]}
          aria-pressed={colour === chosen}
          onClick={() => onChoose(colour)}
        >
          <span style={{ background: colour }} />
        </button>
      ))}
      <Button
        class="rubber"
        aria-pressed={chosen === rubber}
        text={t.drawing.eraser}
        onClick={() => onChoose(rubber)}
      />
    </div>
  );
}

/** Where the pointer was since the last event, in pixels of the sheet, however large it is shown. */
function pointsOf(event: PointerEvent): Point[] {
  const sheet = event.currentTarget as HTMLCanvasElement;
  const { left, top, width, height } = sheet.getBoundingClientRect();
  // Browsers lack getCoalescedEvents on pages that come over plain HTTP from another computer.
  const all = 'getCoalescedEvents' in event ? event.getCoalescedEvents() : [];
  return (all.length === 0 ? [event] : all).map(({ clientX, clientY }) => ({
    x: ((clientX - left) / width) * sidePx,
    y: ((clientY - top) / height) * sidePx,
  }));
}

/** Of the sheet, which is square. */
const sidePx = 512;

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Stroke {
  readonly colour: string;
  readonly widthPx: number;
  readonly points: Point[];
}

/** Draws `strokes` on a white sheet, also where the page is dark: so do the pictures that models learn from. */
function drawAll(context: CanvasRenderingContext2D, strokes: readonly Stroke[]): void {
  context.fillStyle = 'white';
  context.fillRect(0, 0, sidePx, sidePx);
  for (const stroke of strokes) drawFrom(context, stroke, 0);
}

/** Draws the points of `stroke` from the one at `from`. */
function drawFrom(context: CanvasRenderingContext2D, stroke: Stroke, from: number): void {
  const { colour, widthPx, points } = stroke;
  const first = points[Math.max(0, from - 1)];
  if (first === undefined) return;
  context.strokeStyle = colour;
  context.lineWidth = widthPx;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(first.x, first.y);
  // A tap is a dot. Browsers draw nothing for a line of length 0, and its round ends for one of 0.01 pixels.
  context.lineTo(first.x + 0.01, first.y);
  for (const { x, y } of points.slice(from)) context.lineTo(x, y);
  context.stroke();
}
