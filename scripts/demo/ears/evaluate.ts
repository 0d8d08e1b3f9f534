import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type OpenAI from 'openai';
import type { TranscriptionVerbose } from 'openai/resources/audio/transcriptions';
import { withOwnServer } from '../text/evaluation/with-own-server.ts';
import { countWordErrors, type WordErrors } from './word-errors.ts';

const help = `Has a hearth of its own transcribe held-out clips with the demo's ears and prints the word errors of each group.

Usage: npm run demo:eval -- ears --clips FOLDER [options]

  --clips FOLDER  what speaking/hold_out.py wrote, or a list.json of other clips
  --model FILE    speech model to ask (models/hearth-demo-ears.bin)
  --failures      print what was heard wrong
  --group NAME    only this group
`;

interface Clip {
  readonly file: string;
  readonly group: string;
  readonly voice: string;
  /** Times are missing in clips that nobody measured. */
  readonly segments: readonly { readonly text: string; readonly start?: number; readonly end?: number }[];
}

interface Outcome extends WordErrors {
  readonly clip: Clip;
  /** Seconds between where sentences begin and end and where they were heard to. */
  readonly timeErrors: readonly number[];
}

const { values } = parseArgs({
  options: {
    clips: { type: 'string' },
    model: { type: 'string', default: 'models/hearth-demo-ears.bin' },
    failures: { type: 'boolean', default: false },
    group: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else if (values.clips === undefined) {
  process.stderr.write(`--clips is missing\n\n${help}`);
  process.exitCode = 1;
} else await evaluate(values.clips);

async function evaluate(clipsFolder: string): Promise<void> {
  const list = JSON.parse(await readFile(join(clipsFolder, 'list.json'), 'utf8')) as readonly Clip[];
  await withOwnServer({ 'ears.bin': values.model }, async (client) => {
    const outcomes: Outcome[] = [];
    for (const clip of list)
      if (clip.group === (values.group ?? clip.group)) outcomes.push(await listen(client, clipsFolder, clip));
    report(outcomes);
  });
}

async function listen(client: OpenAI, folder: string, clip: Clip): Promise<Outcome> {
  const file = createReadStream(join(folder, clip.file));
  const options = { model: 'ears', response_format: 'verbose_json' } as const;
  const heard = await client.audio.transcriptions.create({ file, ...options });
  const said = clip.segments.map(({ text }) => text).join(' ');
  const counted = countWordErrors(said, heard.text);
  if (values.failures && counted.errors > 0)
    console.log(`${clip.file} (${clip.voice})\n   said  ${said}\n   heard ${heard.text}`);
  return { clip, ...counted, timeErrors: timeErrors(clip, heard) };
}

/** Only where as many segments were heard as sentences were said. */
function timeErrors({ segments: said }: Clip, { segments: heard = [] }: TranscriptionVerbose): number[] {
  if (heard.length !== said.length) return [];
  return said.flatMap(({ start, end }, index) => {
    const segment = heard[index];
    if (segment === undefined || start === undefined || end === undefined) return [];
    return [Math.abs(segment.start - start), Math.abs(segment.end - end)];
  });
}

function report(outcomes: readonly Outcome[]): void {
  console.log('| group | clips | words | word errors | whole clips right | times off by (median) |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const group of new Set(outcomes.map(({ clip }) => clip.group)))
    row(
      group,
      outcomes.filter(({ clip }) => clip.group === group),
    );
  row('all', outcomes);
}

function row(name: string, outcomes: readonly Outcome[]): void {
  const errors = outcomes.reduce((sum, outcome) => sum + outcome.errors, 0);
  const said = outcomes.reduce((sum, outcome) => sum + outcome.said, 0);
  const share = said === 0 ? `${errors} words` : `${((100 * errors) / said).toFixed(1)} %`;
  const right = outcomes.filter((outcome) => outcome.errors === 0).length;
  const off = outcomes.flatMap((outcome) => outcome.timeErrors).toSorted((a, b) => a - b);
  const median = off[Math.floor(off.length / 2)];
  const times = median === undefined ? '' : `${median.toFixed(2)} s`;
  console.log(`| ${name} | ${outcomes.length} | ${said} | ${share} | ${right} | ${times} |`);
}
