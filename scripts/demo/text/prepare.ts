import { createWriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Choices } from './corpus/text/choices.ts';
import { corpusGroups } from './corpus/groups.ts';
import { prolong } from './corpus/prolonged.ts';
import type { Conversation } from './conversation.ts';
import { isHeldOut } from './evaluation/held-out.ts';
import { toTexts, toTrainingExamples } from './render.ts';
import { Tokenizer, trainTokenizer } from './tokenizer.ts';
import type { TokenizerFile } from './tokenizer.ts';

const help = `Writes the demo model's training examples as token ids.

Usage: node scripts/demo/text/prepare.ts --out FOLDER [options]

  --tokens N        tokens to write, in millions (40)
  --seed N          seed of the conversations (1)
  --tokenizer FILE  use this tokenizer.json instead of training one
  --groups A,B      only these groups
  --show N          print N conversations and stop
`;

const wordMerges = 1750;
const spaceMerges = 450;
/** Of the conversations: they are ten times as long as others, so they have a third of the tokens. */
const prolongedShare = 0.06;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    tokens: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    tokenizer: { type: 'string' },
    groups: { type: 'string' },
    show: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const wantedGroups = values.groups?.split(',');
const groups = corpusGroups.filter(({ group }) => wantedGroups?.includes(group) ?? true);

if (values.help === true) process.stdout.write(help);
else if (values.show !== undefined) {
  const choices = new Choices(Number(values.seed));
  for (let left = Number(values.show); left > 0; left--)
    console.log(JSON.stringify(writeOne(choices), null, 1));
} else if (values.out === undefined) {
  process.stderr.write(`--out is missing\n\n${help}`);
  process.exitCode = 1;
} else await prepare(values.out, Number(values.tokens) * 1e6, Number(values.seed), values.tokenizer);

async function prepare(
  folder: string,
  tokenCount: number,
  seed: number,
  tokenizerPath?: string,
): Promise<void> {
  await mkdir(join(folder, 'held-out'), { recursive: true });
  const file =
    tokenizerPath === undefined
      ? trainTokenizer(sampleTexts(seed), wordMerges, spaceMerges)
      : (JSON.parse(await readFile(tokenizerPath, 'utf8')) as TokenizerFile);
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(file));
  const tokenizer = new Tokenizer(file);
  console.log(`${file.tokens.length} tokens in the vocabulary`);
  await writeExamples(folder, tokenizer, tokenCount, seed);
  await writeExamples(join(folder, 'held-out'), tokenizer, 100_000, seed + 1_000_000);
}

/** Anything but the questions of the evaluation. */
function writeOne(choices: Choices): Conversation {
  const write = choices.weighted(groups.map((group) => [group.write, group.weight] as const));
  const written = write(choices);
  const conversation = choices.chance(prolongedShare) ? prolong(choices, written) : written;
  return isHeldOut(conversation) ? writeOne(choices) : conversation;
}

/** The texts of some thousand conversations, tool lines and JSON as the model will see them. */
function* sampleTexts(seed: number): Iterable<string> {
  const choices = new Choices(seed + 2_000_000);
  for (let left = 30_000; left > 0; left--) yield* toTexts(writeOne(choices));
}

async function writeExamples(
  folder: string,
  tokenizer: Tokenizer,
  tokenCount: number,
  seed: number,
): Promise<void> {
  const choices = new Choices(seed);
  const ids = createWriteStream(join(folder, 'ids.u16'));
  const learned = createWriteStream(join(folder, 'learned.u8'));
  const ends: number[] = [];
  const perGroup = new Map<string, number>();
  let written = 0;
  let learnedCount = 0;
  while (written < tokenCount) {
    const conversation = writeOne(choices);
    for (const example of toTrainingExamples(conversation, tokenizer)) {
      written += example.ids.length;
      ends.push(written);
      learnedCount += example.learned.filter(Boolean).length;
      perGroup.set(conversation.group, (perGroup.get(conversation.group) ?? 0) + example.ids.length);
      const hasRoom = ids.write(Buffer.from(Uint16Array.from(example.ids).buffer));
      learned.write(Buffer.from(example.learned.map(Number)));
      if (!hasRoom) await once(ids, 'drain');
    }
  }
  await Promise.all([ids, learned].map((stream) => once(stream.end(), 'finish')));
  await writeFile(join(folder, 'ends.u32'), Buffer.from(Uint32Array.from(ends).buffer));
  console.log(`${folder}: ${ends.length} examples, ${written} tokens, ${learnedCount} of them learned`);
  for (const [group, tokens] of perGroup)
    console.log(`  ${group}: ${((100 * tokens) / written).toFixed(1)} %`);
}
