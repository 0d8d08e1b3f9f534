import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasPseudoTerminal,
  keys,
  openTerminalProgram,
  type TerminalProgram,
} from '../../support/page/pseudo-terminal.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const greeting = 'Hello! How can I help you?';
const stoppable = 16_384;

let folder: string;
let modelsDir: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-chat-command-'));
  modelsDir = await createModelsDir({
    aborts: await tinyModel({ defect: 'no-byte-tokens' }),
    // They never end their turn by themselves.
    brief: await tinyModel({ contextTokens: 256, endOfTurnGain: 0 }),
    endless: await tinyModel({ contextTokens: stoppable, endOfTurnGain: 0, layers: 6 }),
  });
});
afterAll(() => {
  for (const made of [folder, modelsDir]) rmSync(made, { recursive: true });
});

const argsOf = (args: readonly string[]) => [
  cliPath,
  'chat',
  ...args,
  '--data-dir',
  join(folder, 'data'),
  '--models-dir',
  modelsDir,
];

/** The real command with a message on its standard input. */
async function pipeInto(message: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, argsOf(args), { cwd: folder, env: { PATH: process.env['PATH'] } });
  child.stdin.end(message);
  const exited = once(child, 'close');
  const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const [code] = (await exited) as [number | null];
  // Of the library, on machines with a GPU driver that it cannot use.
  return { code, stdout, stderr: stderr.replaceAll(/^\[node-llama-cpp\].*\n/gm, '') };
}

describe('hearth chat with a message on standard input', () => {
  it('answers on standard output and ends', async () => {
    expect(await pipeInto('Hello\n', 'hearth-demo')).toEqual({
      code: 0,
      stdout: `${greeting}\n`,
      stderr: '',
    });
  });

  it('thinks under an -r id; the thoughts go to standard error', async () => {
    const { stdout, stderr } = await pipeInto('Hello', 'hearth-demo-r');
    expect(stdout).toBe(`${greeting}\n`);
    expect(stderr.trim()).not.toBe('');
  });

  it.each([
    ['', 'hearth-demo', /^hearth: standard input is empty \(/],
    [' \n\n', 'hearth-demo', /^hearth: standard input is empty \(/],
    ['Hello', 'hearth-dmeo', /^hearth: there is no chat model "hearth-dmeo" \(did you mean hearth-demo or /],
    ['Hello', 'aborts', /^hearth: The model 'aborts' cannot be loaded: /],
    [
      'A long story. '.repeat(500),
      'brief',
      /^hearth: This model's maximum context length is 256 tokens, .* The prompt has /,
    ],
  ])('says in one line why it cannot: case %#', async (message, model, line) => {
    const { code, stdout, stderr } = await pipeInto(message, model);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});

describe.runIf(hasPseudoTerminal)('hearth chat on a terminal', () => {
  /** The real command on a terminal, at its first prompt. */
  async function open(model: string, env: NodeJS.ProcessEnv = {}): Promise<TerminalProgram> {
    const command = [process.execPath, ...argsOf([model])];
    const chat = openTerminalProgram(command, { cwd: folder, env: { PATH: process.env['PATH'], ...env } });
    await chat.waitFor('/help shows the commands');
    await chat.waitFor('> ');
    return chat;
  }

  /** Output between an entered line and the next prompt. */
  async function enter(chat: TerminalProgram, line: string): Promise<string> {
    chat.type(line + keys.enter);
    // oxlint-disable-next-line no-control-regex -- the prompt is set in bold
    return await chat.waitFor(/\n(?:\u001B\[[\d;]*[A-Za-z])*> /);
  }

  function savedTo(name: string) {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      model: string;
      messages: { role: string; content: string }[];
    };
  }

  it('goes on after every error', async () => {
    await using chat = await open('aborts');
    expect(await enter(chat, 'Hello')).toContain("hearth: The model 'aborts' cannot be loaded");
    expect(await enter(chat, '/modle')).toContain('there is no command /modle (did you mean /model?');
    expect(await enter(chat, '/model breif')).toContain(
      'there is no chat model "breif" (did you mean brief?)',
    );
    expect(await enter(chat, '/model brief')).toContain('answers come from brief now');
    expect(await enter(chat, 'A long story. '.repeat(300))).toContain('maximum context length is 256 tokens');
    expect(await enter(chat, '/model hearth-demo')).toContain(
      'answers come from hearth-demo (a tiny demo) now',
    );
    const answer = await enter(chat, 'Hello');
    expect(answer).toContain('loading hearth-demo …');
    expect(answer).toContain('reading the prompt: 100 %');
    expect(answer).toContain(greeting);
    expect(await enter(chat, 'Hello')).not.toContain('loading');
    chat.type(keys.end);
    expect(await chat.exited).toBe(0);
  });

  it('forgets the oldest turns where the context is full, and says so', async () => {
    await using chat = await open('brief');
    expect(await enter(chat, 'First')).toContain('the answer was cut off, since the model');
    const second = await enter(chat, 'Second');
    expect(second).toMatch(
      /too long for the model: forgot its oldest turn|context is full: forgot its oldest turn/,
    );
    await enter(chat, '/save full.json');
    expect(savedTo('full.json').messages.map(({ content }) => content)).not.toContain('First');
  });

  it('stops an answer at Ctrl-C and goes on; twice leaves', async () => {
    await using chat = await open('endless');
    chat.type(`Tell${keys.enter}`);
    await chat.waitFor(/\n[^\n]{40}/);
    chat.type(keys.interrupt);
    await chat.waitFor('(stopped)');
    await chat.waitFor('> ');
    expect(await enter(chat, '/model hearth-demo')).toContain('answers come from');
    await enter(chat, '/clear');
    expect(await enter(chat, 'Hello')).toContain(greeting);
    chat.type(`half a line${keys.interrupt}`);
    await chat.waitFor('(Ctrl-C again leaves)');
    chat.type(keys.interrupt);
    expect(await chat.exited).toBe(0);
  });

  it('leaves at a second Ctrl-C while an answer comes', async () => {
    await using chat = await open('endless');
    chat.type(`Tell${keys.enter}`);
    await chat.waitFor(/\n[^\n]{40}/);
    chat.type(keys.interrupt);
    chat.type(keys.interrupt);
    expect([0, 130]).toContain(await chat.exited);
  });

  it('takes a paste, a line that goes on and a block as one message each; asks nothing of empty lines', async () => {
    await using chat = await open('hearth-demo');
    await enter(chat, '');
    await enter(chat, '   ');
    await enter(chat, '\u001B[200~pasted one\rpasted two\r\n\ttwo\u001B[201~ and more');
    chat.type(`one \\${keys.enter}`);
    await chat.waitFor('. ');
    await enter(chat, 'two');
    chat.type(`"""${keys.enter}a${keys.enter}`);
    await enter(chat, 'b"""');
    const saved = await enter(chat, '/save said.json');
    expect(saved).toContain('said.json');
    const asked = savedTo('said.json').messages.filter(({ role }) => role === 'user');
    expect(asked.map(({ content }) => content)).toEqual([
      'pasted one\npasted two\n\ttwo and more',
      'one \ntwo',
      'a\nb',
    ]);
    expect(statSync(join(folder, 'said.json')).mode & 0o777).toBe(0o600);
    expect(await enter(chat, '/save said.json')).toContain('said.json is there already');
  });

  it('gives instructions, recalls what was entered, keeps what is typed ahead', async () => {
    await using chat = await open('hearth-demo');
    await enter(chat, '/system Answer briefly.');
    chat.type(`Hello${keys.enter}/save ahead.json${keys.enter}`);
    await chat.waitFor('written to');
    await chat.waitFor('> ');
    expect(savedTo('ahead.json').messages).toEqual([
      { role: 'system', content: 'Answer briefly.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: expect.any(String) },
    ]);
    await enter(chat, `${keys.up}${keys.up}`);
    await enter(chat, '/save again.json');
    expect(savedTo('again.json').messages.filter(({ content }) => content === 'Hello')).toHaveLength(2);
  });

  it('dims thoughts, and nothing with NO_COLOR', async () => {
    const dimmed = '\u001B[2m';
    await using chat = await open('hearth-demo-r');
    const answer = await enter(chat, 'Hello');
    expect(answer.indexOf(dimmed, answer.indexOf('loading'))).toBeGreaterThan(-1);
    expect(answer.slice(answer.indexOf(greeting))).not.toContain(dimmed);
    await using plain = await open('hearth-demo-r', { NO_COLOR: '1' });
    expect(await enter(plain, 'Hello')).not.toContain(dimmed);
  });
});
