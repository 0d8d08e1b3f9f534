import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type OpenAI from 'openai';
import { withOwnServer } from '../text/evaluation/with-own-server.ts';
import { saysAll } from './says-all.ts';

const help = `Asks the demo model of a hearth of its own about held-out drawings and prints the score of each group.

Usage: npm run demo:eval -- sight --drawings FOLDER [options]

  --drawings FOLDER  what hold_out.py wrote
  --model FILE       GGUF to ask (models/hearth-demo.gguf)
  --projector FILE   its sight (models/hearth-demo.mmproj.gguf)
  --failures         print what was answered wrong
  --group NAME       only this group
`;

interface Drawing {
  readonly file: string;
  readonly group: string;
  readonly question: string;
  readonly answer: string;
  /** Words that a right answer has to have. */
  readonly says: readonly string[];
}

interface Outcome {
  readonly drawing: Drawing;
  readonly answer: string;
  readonly isRight: boolean;
}

/** Longer than any good answer. */
const maxAnswerTokens = 100;

const { values } = parseArgs({
  options: {
    drawings: { type: 'string' },
    model: { type: 'string', default: 'models/hearth-demo.gguf' },
    projector: { type: 'string', default: 'models/hearth-demo.mmproj.gguf' },
    failures: { type: 'boolean', default: false },
    group: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else if (values.drawings === undefined) {
  process.stderr.write(`--drawings is missing\n\n${help}`);
  process.exitCode = 1;
} else await evaluate(values.drawings);

async function evaluate(drawingsFolder: string): Promise<void> {
  const list = JSON.parse(await readFile(join(drawingsFolder, 'list.json'), 'utf8')) as readonly Drawing[];
  const models = { 'hearth-demo.gguf': values.model, 'hearth-demo.mmproj.gguf': values.projector };
  await withOwnServer(models, async (client) => {
    const drawings = list.filter(({ group }) => group === (values.group ?? group));
    report(await askAll(client, drawingsFolder, drawings));
  });
}

/** Four at a time, so that they are decoded together. */
async function askAll(client: OpenAI, folder: string, drawings: readonly Drawing[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = drawings.values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const drawing of waiting) outcomes.push(await ask(client, folder, drawing));
    }),
  );
  return outcomes;
}

async function ask(client: OpenAI, folder: string, drawing: Drawing): Promise<Outcome> {
  const file = await readFile(join(folder, drawing.file), 'base64');
  const completion = await client.chat.completions.create({
    model: 'hearth-demo',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${file}` } },
          { type: 'text', text: drawing.question },
        ],
      },
    ],
    max_tokens: maxAnswerTokens,
    temperature: 0,
  });
  const answer = completion.choices[0]?.message.content ?? '';
  return { drawing, answer, isRight: saysAll(answer, drawing.says) };
}

function report(outcomes: readonly Outcome[]): void {
  if (values.failures)
    for (const { drawing, answer, isRight } of outcomes)
      if (!isRight)
        console.log(
          `${drawing.file} (${drawing.group}): ${drawing.question}\n   is   ${drawing.answer}\n   said ${answer}`,
        );
  console.log('| group | drawings | right | score |\n| --- | --- | --- | --- |');
  for (const group of new Set(outcomes.map(({ drawing }) => drawing.group)))
    row(
      group,
      outcomes.filter(({ drawing }) => drawing.group === group),
    );
  row('all', outcomes);
}

function row(name: string, outcomes: readonly Outcome[]): void {
  const right = outcomes.filter(({ isRight }) => isRight).length;
  const share = ((100 * right) / Math.max(1, outcomes.length)).toFixed(0);
  console.log(`| ${name} | ${outcomes.length} | ${right} | ${share} % |`);
}
