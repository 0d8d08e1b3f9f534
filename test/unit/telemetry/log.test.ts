import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/errors/operator-errors.ts';
import { createLog, createReadableLines } from '../../../src/telemetry/log.ts';

const key = 'hk-abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE';
const adminKey = `hk-admin-${key.slice(3)}`;

function capture(pretty: boolean) {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({ level: 'info', pretty, destination: { write: (line) => lines.push(line) } }),
  };
}

describe.each([false, true])('the log (pretty: %s)', (pretty) => {
  it('lets no key through, wherever it is', () => {
    const { lines, log } = capture(pretty);
    log.info({ note: key, err: new Error(`no row for ${adminKey}`), deep: { list: [key] } }, `used ${key}`);
    expect(lines.join('')).toContain('hk-[withheld]');
    expect(lines.join('')).not.toContain('abcdefghijklmnop');
  });

  it('withholds what users wrote', () => {
    const { lines, log } = capture(pretty);
    const messages = [{ role: 'user', content: 'my diary' }];
    log.info(
      { messages, prompt: 'my diary', request: { body: 'my diary', headers: { cookie: 'my diary' } } },
      'x',
    );
    expect(lines.join('')).not.toContain('my diary');
  });

  it('says level, time and fields', () => {
    const { lines, log } = capture(pretty);
    log.warn({ model: 'tiny' }, 'slow');
    expect(lines[0]).toMatch(
      pretty ? /^\d\d:\d\d:\d\d warn slow model=tiny\n$/ : /^\{"level":"warn","time":"/,
    );
  });

  it('keeps quiet below its level', () => {
    const { lines, log } = capture(pretty);
    log.debug('nothing');
    expect(lines).toEqual([]);
  });
});

describe('what was thrown on purpose', () => {
  const line = (pretty: boolean, err: Error, level: 'info' | 'debug' = 'info') => {
    const lines: string[] = [];
    const log = createLog({ level, pretty, destination: { write: (text) => lines.push(text) } });
    log.error({ err }, 'configuration not changed');
    return lines.join('');
  };
  const slip = new ConfigError('hearth.yaml:1: unknown key "prot"', 'rename the key');

  it('is one line without a stack on a terminal', () => {
    expect(line(true, slip)).toMatch(
      /^[\d:]+ error configuration not changed: hearth\.yaml:1: unknown key "prot" \(rename the key\)\n$/,
    );
  });

  it('has its stack where programs read, and for who debugs', () => {
    expect(JSON.parse(line(false, slip))).toMatchObject({ err: { stack: expect.any(String) as string } });
    expect(line(true, slip, 'debug')).toContain('    at ');
  });

  it('is told from a mistake of the program, whose stack is shown', () => {
    expect(line(true, new TypeError('x is not a function'))).toContain('    at ');
  });
});

describe('on a terminal', () => {
  const lineOf = (fields: object, message: string) => {
    const { lines, log } = capture(true);
    log.info(fields, message);
    return lines.join('').replace(/^\d\d:\d\d:\d\d /, '');
  };
  const request = {
    requestId: 'req_1',
    method: 'POST',
    path: '/v1/chat/completions',
    status: 200,
    durationMs: 843,
  };

  it('a request is one line', () => {
    const usage = { model: 'tiny', promptTokens: 12, cachedTokens: 8, completionTokens: 40, keyId: 'key_1' };
    expect(lineOf({ ...request, ...usage }, 'request')).toBe(
      'POST /v1/chat/completions 200 843 ms tiny 12 in (8 cached) 40 out key_1\n',
    );
    const refused = { method: 'GET', path: '/v1/models', status: 401, durationMs: 1200 };
    expect(lineOf({ ...refused, errorCode: 'missing_api_key', clientLeft: true }, 'request')).toBe(
      'GET  /v1/models 401 1.2 s missing_api_key client left\n',
    );
    expect(lineOf({ ...refused, status: 200, stopped: true }, 'request')).toBe(
      'GET  /v1/models 200 1.2 s stopped\n',
    );
    const heard = { ...request, path: '/v1/audio/transcriptions', model: 'ears', audioSeconds: 12.5 };
    expect(lineOf({ ...heard, promptTokens: 0, completionTokens: 0 }, 'request')).toBe(
      'POST /v1/audio/transcriptions 200 843 ms ears 12.5 s of audio\n',
    );
  });

  it('sizes and times are for people', () => {
    const fields = { model: 'tiny', loadMs: 1234, ramBytes: 16_587_704_448, slots: 4, chosen: ['a'] };
    expect(lineOf(fields, 'model loaded')).toBe(
      'model loaded model=tiny load=1.2 s ram=17 GB slots=4 chosen=["a"]\n',
    );
  });

  it('nothing breaks the line', () => {
    expect(lineOf({ path: '/models/a\n\u001b[2Jb.gguf' }, 'skipped:\nnot whole')).toBe(
      'skipped: not whole path=/models/a [2Jb.gguf\n',
    );
  });

  it('has colours only where they are asked for', () => {
    const line = `${JSON.stringify({ time: new Date().toISOString(), level: 'warn', msg: 'slow' })}\n`;
    expect(createReadableLines(true)(line)).toContain('\u001b[33mwarn\u001b[39m slow\n');
    expect(createReadableLines(false)(line)).toMatch(/^\d\d:\d\d:\d\d warn slow\n$/);
  });
});
