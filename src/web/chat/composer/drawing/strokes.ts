/** Of the sheet, which is square. */
export const sidePx = 512;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Stroke {
  readonly colour: string;
  readonly widthPx: number;
  readonly points: Point[];
}

/** Draws `strokes` on a white sheet, also where the page is dark: so do the pictures that models learn from. */
export function drawAll(context: CanvasRenderingContext2D, strokes: readonly Stroke[]): void {
  context.fillStyle = 'white';
  context.fillRect(0, 0, sidePx, sidePx);
  for (const stroke of strokes) drawFrom(context, stroke, 0);
}

/** Draws the points of `stroke` from the one at `from`. */
export function drawFrom(context: CanvasRenderingContext2D, stroke: Stroke, from: number): void {
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
