import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processRssBytes } from '../../../scripts/bench/figures/proc.ts';
import { audioKinds, builtInKinds, convertAll } from './audio-kinds.ts';
import { oneThread } from '../server/chat-fixture.ts';
import { childrenOf } from '../watch/child-processes.ts';
import { damagedFiles, type DamagedFile } from './damaged-files.ts';
import { startServer, type RunningServer } from '../server/start-server.ts';
import { tone, writeWav } from './wav.ts';

export interface FuzzOptions {
  /** Holds one speech model, `ears.bin`. */
  readonly modelsDir: string;
  /** As in the configuration file. */
  readonly ffmpeg: string;
  readonly files: number;
  readonly clients: number;
  readonly seed: number;
  readonly onProgress?: (sent: number) => void;
}

export interface FuzzResult {
  /** How many answers had which status and error code. */
  readonly answers: Readonly<Record<string, number>>;
  readonly rssBeforeBytes: number;
  readonly rssAfterBytes: number;
  readonly slowestMs: number;
  /** Each a sentence; none where all is well. */
  readonly problems: readonly string[];
}

/** Results of sending damaged files to a real server. */
export async function sendDamagedAudio(options: FuzzOptions): Promise<FuzzResult> {
  const good = await makeGoodFiles(options.ffmpeg);
  const server = await startServer({
    modelsDirs: [options.modelsDir],
    config: { ffmpeg: options.ffmpeg, audioLengthLimit: '60s', models: [{ id: 'ears', ...oneThread }] },
    args: ['--log-level', 'warn'],
  });
  try {
    const problems: string[] = [];
    for (const file of good) {
      const { status } = await send(server, file);
      if (status !== 200) problems.push(`the good ${file.name} was answered with ${status}`);
    }
    const rssBeforeBytes = processRssBytes(server.pid) ?? 0;
    const answers: Record<string, number> = {};
    let sent = 0;
    let slowestMs = 0;
    const files = damagedFiles(good, options.files, options.seed);
    const client = async (): Promise<void> => {
      for (const file of files) {
        const startedAt = performance.now();
        const { status, code } = await send(server, file);
        slowestMs = Math.max(slowestMs, Math.round(performance.now() - startedAt));
        const answer = `${status} ${code}`.trim();
        answers[answer] = (answers[answer] ?? 0) + 1;
        if (status !== 200 && status !== 400)
          problems.push(`a damaged ${file.name} was answered with ${answer}`);
        options.onProgress?.(++sent);
      }
    };
    await Promise.all(Array.from({ length: options.clients }, client));
    const left = childrenOf(server.pid);
    if (left.length > 0) problems.push(`the processes ${left.join(', ')} are left`);
    const uploads = readdirSync(path.join(server.dataDir, 'uploads'));
    if (uploads.length > 0) problems.push(`${uploads.length} uploads are left`);
    const rssAfterBytes = processRssBytes(server.pid) ?? 0;
    return { answers, rssBeforeBytes, rssAfterBytes, slowestMs, problems };
  } finally {
    await server.stop();
  }
}

/** One of each kind that the server can decode. */
async function makeGoodFiles(ffmpeg: string): Promise<DamagedFile[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hearth-good-audio-'));
  try {
    const source = path.join(folder, 'source.wav');
    writeFileSync(source, writeWav(tone(440, 0.5)));
    const kinds = ffmpeg === 'built-in' ? builtInKinds : audioKinds;
    await convertAll(source, folder, kinds);
    return kinds.map(([name]) => ({ name, bytes: Uint8Array.from(readFileSync(path.join(folder, name))) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function send(
  { baseUrl, apiKey }: RunningServer,
  { name, bytes }: DamagedFile,
): Promise<{ status: number; code: string }> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  form.append('model', 'ears');
  const response = await fetch(`${baseUrl}/audio/transcriptions`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const body = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: body.error?.code ?? '' };
}
