import type { RunningServer } from '../server/start-server.ts';

/** The values of `GET /metrics` now, by series such as `hearth_errors_total{code="invalid_json"}`. */
export async function readMetrics({
  baseUrl,
}: Pick<RunningServer, 'baseUrl'>): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(new URL('/metrics', baseUrl))).text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
