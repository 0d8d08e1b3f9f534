import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { secondOfSilence, writeFfmpeg } from '../../support/audio/audio-decoding.ts';
import { testFolder } from '../../support/files/test-folder.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';

/** One more than are decoded at a time: the last one waits. */
const requestCount = 7;
const waiting = { timeout: 30_000, interval: 20 };

let modelsDir: string;
beforeAll(async () => {
  modelsDir = mkdtempSync(path.join(testFolder, 'models-'));
  copyFileSync(await demoSpeech(), path.join(modelsDir, 'ears.bin'));
});

/** The same for each of the requests. */
const everyTime = (answer: object) => Array.from({ length: requestCount }, () => answer);

/** A server whose decoder goes on when `release` is called, with as many admitted requests as there may be. */
async function startBusyServer(name: string, shutdownGrace: string) {
  const released = path.join(testFolder, `${name}-released`);
  const dataDir = path.join(testFolder, name);
  mkdirSync(dataDir);
  const ffmpeg = writeFfmpeg(
    `ffmpeg-${name}`,
    `touch ${dataDir}/decoding\nwhile [ ! -e ${released} ]; do sleep 0.1; done\n${secondOfSilence}`,
  );
  const config = { ffmpeg, shutdownGrace, models: [{ id: 'ears' }] };
  const server = await startServer({ modelsDirs: [modelsDir], dataDir, config });
  onTestFinished(async () => void (await server.kill()));
  const answers = Array.from({ length: requestCount }, () => transcribe(server));
  await vi.waitUntil(() => admittedIn(dataDir) === requestCount, waiting);
  await vi.waitUntil(() => existsSync(`${dataDir}/decoding`), waiting);
  return { server, answers: Promise.all(answers), release: () => writeFileSync(released, '') };
}

/** The transcript of a file, or the code of the error. */
async function transcribe({ baseUrl, apiKey }: RunningServer): Promise<unknown> {
  const form = new FormData();
  form.append('file', new Blob(['only the decoder knows']), 'speech.ogg');
  form.append('model', 'ears');
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}/audio/transcriptions`, { method: 'POST', body: form, headers });
  const body = (await response.json()) as { error?: { code: string }; text?: string };
  return { status: response.status, said: body.error?.code ?? body.text };
}

/** Requests that have begun and are not settled. */
function admittedIn(dataDir: string): number {
  const store = openStore(path.join(dataDir, 'hearth.db'));
  try {
    return store.admissions.list().length;
  } finally {
    store.close();
  }
}

describe.runIf(canTranscribe && process.platform !== 'win32')('SIGTERM', () => {
  it('lets files that are decoded, and those that wait for it, come to their end', async () => {
    const { server, answers, release } = await startBusyServer('patient', '40s');
    const stopping = server.stop();
    await vi.waitUntil(() => server.stdout().includes('shutting down'), waiting);
    release();
    expect(await answers).toEqual(everyTime({ status: 200, said: '' }));
    expect(await stopping).toEqual({ code: 0, signal: null });
  });

  it('ends those that take too long with 503, and settles them', async () => {
    const { server, answers } = await startBusyServer('hasty', '1s');
    const stopping = server.stop();
    expect(await answers).toEqual(everyTime({ status: 503, said: 'server_shutting_down' }));
    expect(await stopping).toEqual({ code: 0, signal: null });
    expect(admittedIn(server.dataDir)).toBe(0);
  });
});
