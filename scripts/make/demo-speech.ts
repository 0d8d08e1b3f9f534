import { parseArgs } from 'node:util';
import { writeDemoSpeech } from './demo-speech/write-demo-speech.ts';

const help = `Writes a small Whisper model that hears "The quick brown fox jumped over the lazy dog." in everything,
for tests and for trying the API out. The same options give the same bytes.

Usage: node scripts/make/demo-speech.ts --out FILE [options]

  --out FILE   where to write
  --english    a model that knows English only
  --stutters   a model that repeats its last word, so that its text is decoded again at higher temperatures
  --help       this text
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    english: { type: 'boolean' },
    stutters: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (values.help === true) {
  process.stdout.write(help);
} else if (values.out === undefined) {
  process.stderr.write(`--out is missing\n\n${help}`);
  process.exitCode = 1;
} else {
  await writeDemoSpeech(values.out, { multilingual: values.english !== true, stutters: values.stutters });
}
