import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { toFile, type OpenAI } from 'openai';
import { countWordErrors } from '../../ears/word-errors.ts';
import { withOwnServer } from '../../text/evaluation/with-own-server.ts';

const help = `Has a hearth of its own speak held-out sentences, hears them with the demo's ears and prints the word errors.

Usage: npm run demo:eval -- voice [options]

  --model FILE      model to ask (models/hearth-demo-voice.gguf), its projector beside it as FILE.mmproj.gguf
  --sentences FILE  a sentence a line (scripts/demo/voice/evaluation/held-out.txt)
  --out FOLDER      keep what was spoken there
  --failures        print what was heard wrong
`;

/** 16 bits, 24,000 times a second. */
const bytesPerSecond = 48_000;

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/hearth-demo-voice.gguf' },
    sentences: { type: 'string', default: join(import.meta.dirname, 'held-out.txt') },
    out: { type: 'string' },
    failures: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});

if (values.help === true) process.stdout.write(help);
else await evaluate();

async function evaluate(): Promise<void> {
  const sentences = (await readFile(values.sentences, 'utf8')).split('\n').filter((line) => line !== '');
  const models = {
    'voice.gguf': values.model,
    'voice.mmproj.gguf': values.model.replace(/\.gguf$/, '.mmproj.gguf'),
    'ears.bin': 'models/hearth-demo-ears.bin',
  };
  if (values.out !== undefined) await mkdir(values.out, { recursive: true });
  await withOwnServer(models, async (client) => {
    const total = { errors: 0, said: 0, right: 0, soundSeconds: 0, computedSeconds: 0 };
    for (const [index, sentence] of sentences.entries()) {
      const startedAtMs = performance.now();
      const wav = await speak(client, sentence);
      total.computedSeconds += (performance.now() - startedAtMs) / 1000;
      total.soundSeconds += wav.length / bytesPerSecond;
      if (values.out !== undefined) await writeFile(join(values.out, `${index}.wav`), wav);
      const { text } = await client.audio.transcriptions.create({
        model: 'ears',
        file: await toFile(wav, 'spoken.wav'),
      });
      const { errors, said } = countWordErrors(sentence, text);
      total.errors += errors;
      total.said += said;
      if (errors === 0) total.right++;
      else if (values.failures) console.log(`said  ${sentence}\nheard ${text}\n`);
    }
    report(sentences.length, total);
  });
}

async function speak(client: OpenAI, input: string): Promise<Buffer> {
  const spoken = await client.audio.speech.create({
    model: 'voice',
    voice: 'default',
    input,
    response_format: 'wav',
  });
  return Buffer.from(await spoken.arrayBuffer());
}

function report(
  count: number,
  total: Record<'errors' | 'said' | 'right' | 'soundSeconds' | 'computedSeconds', number>,
) {
  const share = ((100 * total.errors) / total.said).toFixed(1);
  const speed = (total.soundSeconds / total.computedSeconds).toFixed(1);
  console.log('| sentences | words | word errors | whole sentences right | seconds of sound a second |');
  console.log('| --- | --- | --- | --- | --- |');
  console.log(`| ${count} | ${total.said} | ${share} % | ${total.right} | ${speed} |`);
}
