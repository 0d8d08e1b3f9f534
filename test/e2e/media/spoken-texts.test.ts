import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  differenceOf,
  excerptOf,
  readRecords,
  speakPcm,
  startSpeaker,
  writeReference,
} from '../../support/audio/spoken-texts.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import type { RunningServer } from '../../support/server/start-server.ts';

/** Of 32,767. On one machine it is 1; between AVX2 and SSE4.2, whose sums round otherwise, it was 62. */
const mostDifference = 330;

const records = await readRecords();
const stack = new AsyncDisposableStack();
let server: RunningServer;
beforeAll(async () => {
  const reference = await writeReference();
  stack.defer(() => rm(dirname(reference), { recursive: true }));
  server = await startSpeaker(reference);
  stack.defer(async () => void (await server.stop()));
});
afterAll(() => stack.disposeAsync());

describe.runIf(hasMedia)('texts that are spoken', () => {
  it.each(records)('sound as from llama.cpp’s own program: $family, $text', async (record) => {
    const samples = await speakPcm(server, record.family, record);
    expect(samples).toHaveLength(record.length);
    expect(differenceOf(excerptOf(samples), record.excerpt)).toBeLessThanOrEqual(mostDifference);
  });
});
