import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { writeReference } from '../../test/support/audio/spoken-texts.ts';
import { tinyVoice } from '../../test/support/models/tiny-voice.ts';
import { startServer, type RunningServer } from '../../test/support/server/start-server.ts';
import { streamChat } from './server/chat-request.ts';
import { turnOrder } from './server/compare.ts';
import { quantile, spread } from '../../src/cli/bench/statistics.ts';

const help = `How fast hearth speaks with a model of Pocket TTS's size with random weights, beside llama.cpp's llama-tts in
turns, and what that costs four streams of chat.

Usage: node scripts/bench/speech.ts --chat-model FILE [--llama-tts FILE] [options]

  --chat-model FILE  GGUF model of the streams
  --llama-tts FILE   the program; without it hearth is measured alone
  --threads N        of both programs (default: 1)
  --rounds N         turns of each side (default: 5)
  --help             this text
`;
const text = 'The people who came to the house were tired, and so they went to bed before it was dark.';
const bytesPerSecond = 2 * 24_000;
const streams = 4;
const answerTokens = 200;

const { values } = parseArgs({
  options: {
    'chat-model': { type: 'string' },
    'llama-tts': { type: 'string' },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(help);
else if (values['chat-model'] === undefined) {
  process.stderr.write(`--chat-model is missing\n\n${help}`);
  process.exitCode = 1;
} else
  await measure(values['chat-model'], values['llama-tts'], Number(values.threads), Number(values.rounds));

async function measure(chat: string, program: string | undefined, threads: number, rounds: number) {
  const voice = await tinyVoice({ family: 'pocket', size: 'full', weightType: 'q8_0', endsByItself: false });
  const reference = await writeReference();
  const models = [
    { id: 'voice', source: voice.model, projector: voice.projector, threads, preload: true },
    { id: 'chat', source: chat, threads, preload: true },
  ];
  const server = await startServer({
    modelsDirs: [],
    config: { demo: false, models, voices: { reference } },
  });
  try {
    await speak(server);
    const other = program === undefined ? undefined : { program, voice, reference, threads };
    await measureSpeed(server, other, rounds);
    await measureGaps(server, rounds);
  } finally {
    await server.stop();
    await rm(dirname(reference), { recursive: true });
  }
}

interface Spoken {
  readonly soundSeconds: number;
  readonly takenMs: number;
  readonly firstMs: number;
}

async function speak({ baseUrl, apiKey }: RunningServer, signal?: AbortSignal): Promise<Spoken> {
  const startedAtMs = performance.now();
  const response = await fetch(new URL('/v1/audio/speech', baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'voice', input: text, response_format: 'pcm' }),
    ...(signal && { signal }),
  });
  if (!response.ok || response.body === null) throw new Error(await response.text());
  let [bytes, firstMs] = [0, 0];
  for await (const chunk of response.body) {
    firstMs ||= performance.now() - startedAtMs;
    bytes += chunk.byteLength;
  }
  return { soundSeconds: bytes / bytesPerSecond, takenMs: performance.now() - startedAtMs, firstMs };
}

interface OtherProgram {
  readonly program: string;
  readonly voice: Awaited<ReturnType<typeof tinyVoice>>;
  readonly reference: string;
  readonly threads: number;
}

/** Milliseconds of computing for a second of sound, as the program tells them: without the time of loading. */
async function speakElsewhere({ program, voice, reference, threads }: OtherProgram): Promise<number> {
  const output = join(dirname(reference), 'spoken.wav');
  const files = [
    '-m',
    voice.model,
    '--mmproj',
    voice.projector,
    '--tts-speaker-file',
    reference,
    '-o',
    output,
  ];
  const { stdout, stderr } = await promisify(execFile)(program, [
    ...files,
    '-p',
    text,
    '-t',
    String(threads),
  ]);
  const [, speed] = /audio time = ([\d.]+)x process time/.exec(stdout + stderr) ?? [];
  if (speed === undefined) throw new Error('llama-tts tells no speed');
  return 1000 / Number(speed);
}

async function measureSpeed(server: RunningServer, other: OtherProgram | undefined, rounds: number) {
  const times: Record<'hearth' | 'llama-tts', number[]> = { hearth: [], 'llama-tts': [] };
  const firstMs: number[] = [];
  const sides = other === undefined ? (['hearth'] as const) : (['hearth', 'llama-tts'] as const);
  for (let round = 0; round < rounds; round++)
    for (const side of turnOrder(sides, round)) {
      if (side === 'llama-tts') {
        if (other !== undefined) times[side].push(await speakElsewhere(other));
        continue;
      }
      const spoken = await speak(server);
      times.hearth.push(spoken.takenMs / spoken.soundSeconds);
      firstMs.push(spoken.firstMs);
    }
  for (const side of sides) print(`${side}, ms for a second of sound`, times[side]);
  print('hearth, ms to the first sound', firstMs);
  if (other !== undefined)
    print(
      'hearth / llama-tts',
      times.hearth.map((ms, at) => ms / (times['llama-tts'][at] ?? Number.NaN)),
    );
}

/** Gaps of the streams with and without speech beside them, in turns. */
async function measureGaps(server: RunningServer, rounds: number): Promise<void> {
  const gaps: Record<'alone' | 'beside', number[]> = { alone: [], beside: [] };
  for (let round = 0; round < rounds; round++)
    for (const side of turnOrder(['alone', 'beside'] as const, round)) {
      const leaving = new AbortController();
      const speech = side === 'beside' ? speakOn(server, leaving.signal) : undefined;
      const { baseUrl, apiKey, pid } = server;
      const target = { name: 'hearth', baseUrl, model: 'chat', apiKey, pid };
      const answers = await Promise.all(
        Array.from({ length: streams }, (_, index) =>
          streamChat(target, [{ role: 'user', content: `Count to ${100 + index}.` }], answerTokens),
        ),
      );
      leaving.abort();
      await speech;
      gaps[side].push(...answers.flatMap(({ gapsMs }) => gapsMs));
    }
  for (const side of ['alone', 'beside'] as const) {
    const [median, high, most] = [0.5, 0.95, 1].map((share) => quantile(gaps[side], share)?.toFixed(0));
    console.log(`gaps of ${streams} streams, ${side}: p50 ${median} ms, p95 ${high} ms, most ${most} ms`);
  }
}

/** Speaks until `signal` is aborted. */
async function speakOn(server: RunningServer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await speak(server, signal).catch(() => undefined);
}

function print(name: string, numbers: readonly number[]): void {
  const found = spread(numbers);
  if (found === undefined) return;
  console.log(`${name}: ${found.median.toFixed(2)} [${found.min.toFixed(2)}–${found.max.toFixed(2)}]`);
}
