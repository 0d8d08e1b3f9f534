import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AudioDecoder } from '../../../../src/engine/audio/audio-decoder.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { decodingError, secondOfSilence, writeFfmpeg } from '../../../support/audio/audio-decoding.ts';
import { testFolder } from '../../../support/files/test-folder.ts';

/** No decoder of hearth's own takes it: samples come from the program that is named as ffmpeg, or not at all. */
const file = path.join(testFolder, 'speech.ogg');
writeFileSync(file, 'no audio at all');

/** One decoder for several files; the outcome of each: how many samples, or the code of its error. */
function decodeWith(ffmpeg: string): () => Promise<unknown> {
  const decoder = new AudioDecoder({ ffmpeg, maxSeconds: 60, log: createLog({ level: 'silent' }) });
  return () =>
    decoder.decode({ path: file, extension: 'ogg' }, new AbortController().signal).then(
      ({ length }) => length,
      ({ code }: { code: string }) => code,
    );
}

describe.skipIf(process.platform === 'win32')('ffmpeg', () => {
  it('is tried again where something ended it before it could tell what it can do', async () => {
    const begun = path.join(testFolder, 'begun');
    const ffmpeg = path.join(testFolder, 'ffmpeg-ended-once');
    const usable = writeFfmpeg('ffmpeg-usable', secondOfSilence);
    const script = `[ -e ${begun} ] && exec ${usable} "$@"\ntouch ${begun}\nkill -TERM $$`;
    writeFileSync(ffmpeg, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const decode = decodeWith(ffmpeg);
    expect(await decode()).toBe('invalid_audio');
    expect(existsSync(begun)).toBe(true);
    expect(await decode()).toBe(16_000);
  });

  it('that is not there is not looked for again', async () => {
    const decode = decodeWith(path.join(testFolder, 'ffmpeg-late'));
    expect(await decode()).toBe('invalid_audio');
    writeFfmpeg('ffmpeg-late', secondOfSilence);
    expect(await decode()).toBe('invalid_audio');
  });

  it.each([
    ['is not the file’s fault when the system ends it', 'kill -KILL $$', 'engine_error'],
    ['is not the file’s fault when somebody ends it', 'exit 255', 'engine_error'],
    ['is the file’s fault when it crashes', 'ulimit -c 0; kill -SEGV $$', 'invalid_audio'],
    ['is the file’s fault when it says so', 'exit 1', 'invalid_audio'],
  ])('%s', async (what, commands, code) => {
    const ffmpeg = writeFfmpeg(`ffmpeg-${what.replaceAll(/\W+/g, '-')}`, commands);
    expect((await decodingError(file, { ffmpeg })).code).toBe(code);
  });
});
