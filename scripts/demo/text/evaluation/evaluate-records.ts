import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type OpenAI from 'openai';
import { writeExchangeOf } from '../corpus/first/spoken.ts';
import { Choices } from '../corpus/text/choices.ts';
import { Entry } from '../corpus/text/data.ts';
import { isHumble } from './judge-first-thing.ts';
import { withOwnServer } from './with-own-server.ts';

const help = `Asks the demo model what it was taught of corpus/data/first/said, through a hearth of its own, and prints how much of
it was learned: each record is asked at most twice.

Usage: npm run demo:eval -- records [options]

  --model FILE       GGUF to ask (models/hearth-demo.gguf)
  --every N          only every Nth record (10)
`;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/hearth-demo.gguf' },
    every: { type: 'string', default: '10' },
    help: { type: 'boolean' },
  },
});

type Verdict = 'right' | 'refused' | 'wrong';

const folder = new URL('../corpus/data/first/said/', import.meta.url);
const maxAnswerTokens = 80;
const clients = 16;

/** Asks the records of a file and prints how many were answered rightly. */
async function evaluateFile(client: OpenAI, name: string): Promise<void> {
  const text = await readFile(new URL(name, folder), 'utf8');
  const blocks = text.split(/\n\s*\n/u).filter((block) => /^answer: /mu.test(block));
  const asked = blocks.filter((_, index) => index % Number(values.every) === 0);
  const verdicts = new Map<string, Verdict>();
  const waiting = asked.entries();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const [index, block] of waiting) verdicts.set(block, await ask(client, entryOf(block), index));
    }),
  );
  const share = (wanted: Verdict): string =>
    `${((100 * [...verdicts.values()].filter((each) => each === wanted).length) / verdicts.size).toFixed(0)} %`;
  console.log(`| ${name} | ${verdicts.size} | ${share('right')} | ${share('refused')} | ${share('wrong')} |`);
}

const entryOf = (block: string): Entry =>
  new Entry(block.split('\n').filter((line) => /^(weight|answer|said): /u.test(line)));

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

async function ask(client: OpenAI, entry: Entry, seed: number): Promise<Verdict> {
  const choices = new Choices(seed);
  const answers: string[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { question, answer } = writeExchangeOf(choices, entry);
    const completion = await client.chat.completions.create({
      model: 'hearth-demo',
      messages: [{ role: 'user', content: question }],
      max_tokens: maxAnswerTokens,
      temperature: 0,
    });
    answers.push(completion.choices[0]?.message.content ?? '');
    if (bare(answers.at(-1) ?? '') === bare(answer)) return 'right';
  }
  return answers.every(isHumble) ? 'refused' : 'wrong';
}

if (values.help === true) process.stdout.write(help);
else
  await withOwnServer({ 'hearth-demo.gguf': values.model }, async (client) => {
    console.log('| file | records | right | refused | wrong |\n| --- | --- | --- | --- | --- |');
    for (const name of (await readdir(folder)).toSorted()) await evaluateFile(client, name);
  });
