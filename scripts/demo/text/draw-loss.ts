import { readFile, writeFile } from 'node:fs/promises';

const usage = 'Usage: node scripts/demo/text/draw-loss.ts loss.csv loss.svg\n';

const widthPx = 720;
const heightPx = 360;
const marginPx = 44;

/** A line of the loss.csv that train.py writes: tokens so far, loss in training, loss on held-out examples or nan. */
interface Measurement {
  readonly tokens: number;
  readonly training: number;
  readonly heldOut: number;
}

const [csvPath, svgPath] = process.argv.slice(2);
if (csvPath === undefined || svgPath === undefined) {
  process.stderr.write(usage);
  process.exitCode = 1;
} else await writeFile(svgPath, draw(parse(await readFile(csvPath, 'utf8'))));

function parse(csv: string): Measurement[] {
  return csv
    .trim()
    .split('\n')
    .map((line) => {
      const [tokens = NaN, training = NaN, heldOut = NaN] = line.split(',').map(Number);
      return { tokens, training, heldOut };
    });
}

/** An SVG with a logarithmic axis of the loss, since most late progress is in small numbers. */
function draw(measurements: readonly Measurement[]): string {
  const mostTokens = Math.max(...measurements.map(({ tokens }) => tokens));
  const losses = measurements.map(({ training }) => training);
  const top = Math.log10(Math.max(...losses));
  const bottom = Math.log10(Math.min(...losses) * 0.8);
  const x = (tokens: number): number => marginPx + (tokens / mostTokens) * (widthPx - 2 * marginPx);
  const y = (loss: number): number =>
    marginPx + ((top - Math.log10(loss)) / (top - bottom)) * (heightPx - 2 * marginPx);
  const line = (points: readonly (readonly [number, number])[], colour: string): string =>
    `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${points
      .map(([tokens, loss]) => `${x(tokens).toFixed(1)},${y(loss).toFixed(1)}`)
      .join(' ')}"/>`;
  const text = (left: number, base: number, label: string, anchor = 'middle'): string =>
    `<text x="${left.toFixed(1)}" y="${base.toFixed(1)}" text-anchor="${anchor}">${label}</text>`;
  const ticks = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].filter(
    (loss) => Math.log10(loss) <= top && Math.log10(loss) >= bottom,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...ticks.flatMap((loss) => [
      `<path d="M${marginPx} ${y(loss).toFixed(1)}H${widthPx - marginPx}" stroke="#ddd"/>`,
      text(marginPx - 6, y(loss) + 4, String(loss), 'end'),
    ]),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) =>
      text(x(share * mostTokens), heightPx - marginPx + 18, `${((share * mostTokens) / 1e6).toFixed(0)}M`),
    ),
    text(widthPx / 2, heightPx - 8, 'tokens seen (padding included)'),
    text(widthPx / 2, 20, 'loss per learned token, in nats: training (blue), held out (red)'),
    line(
      measurements.map(({ tokens, training }) => [tokens, training]),
      '#2563eb',
    ),
    line(
      measurements
        .filter(({ heldOut }) => !Number.isNaN(heldOut))
        .map(({ tokens, heldOut }) => [tokens, heldOut]),
      '#dc2626',
    ),
    '</svg>\n',
  ].join('\n');
}
