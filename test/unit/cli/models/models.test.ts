import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { registerModelsCommand } from '../../../../src/cli/models/models.ts';
import { ggufFile } from '../../../support/models/model-files.ts';
import { giveMachineSpeed } from '../../../support/server/machine-speed.ts';
import { PullBench, seededModel } from '../../../support/files/pull-bench.ts';

let bench: PullBench;
let dataDir: string;
let modelsDir: string;

beforeEach(async () => {
  bench = await PullBench.open();
  dataDir = mkdtempSync(join(tmpdir(), 'hearth-cli-data-'));
  modelsDir = mkdtempSync(join(tmpdir(), 'hearth-cli-models-'));
  vi.stubEnv('HF_ENDPOINT', bench.server.origin);
  for (const name of Object.keys(process.env)) if (name.startsWith('HEARTH_')) vi.stubEnv(name, undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await bench.close();
  for (const folder of [dataDir, modelsDir]) rmSync(folder, { recursive: true });
});

async function hearth(
  ...args: readonly string[]
): Promise<{ stdout: string; stderr: string; exitCode: unknown }> {
  let stdout = '';
  let stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((stderr += String(text)), true));
  const program = new Command('hearth').exitOverride();
  registerModelsCommand(program);
  process.exitCode = undefined;
  await program.parseAsync(['models', ...args, '--data-dir', dataDir, '--models-dir', modelsDir], {
    from: 'user',
  });
  return { stdout, stderr, exitCode: process.exitCode };
}

describe('hearth models', () => {
  it('lists what there is, as a table and as one document', async () => {
    writeFileSync(join(modelsDir, 'one.gguf'), ggufFile({ template: '{{ tools }}<think>' }));
    const table = await hearth('list');
    expect(table.stdout).toMatch(/^ID +KIND/);
    expect(table.stdout).toMatch(/one +chat +32 .* tools, reasoning/);
    const { stdout } = await hearth('list', '--json');
    const listed: unknown = JSON.parse(stdout);
    const one: unknown = expect.objectContaining({ id: 'one', kind: 'chat' });
    expect(listed).toMatchObject({ models: expect.arrayContaining([one]) as unknown, pending: [] });
  });

  it('shows one, and says what is near when there is none', async () => {
    writeFileSync(join(modelsDir, 'one.gguf'), ggufFile());
    expect((await hearth('show', 'one')).stdout).toMatch(/^id +one\n/);
    expect(JSON.parse((await hearth('show', 'one', '--json')).stdout)).toMatchObject({ id: 'one' });
    const { stderr, exitCode } = await hearth('show', 'ona');
    expect(stderr).toBe('hearth: there is no model "ona" (did you mean one?)\n');
    expect(exitCode).toBe(1);
  });

  it('pulls by source and by configured name, and removes what it pulled', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
    const path = join(dataDir, 'models/Owner/Repo/m-Q8_0.gguf');
    const pulled = await hearth('pull', 'hf:Owner/Repo:Q8_0');
    expect(pulled.stdout).toBe(
      `${path}: pulled, ${(seededModel(1).length / 1000).toFixed(0)} kB\nserved as m-Q8_0\n`,
    );
    expect(pulled.stderr).toContain('100 %');
    const config = join(dataDir, 'hearth.yaml');
    writeFileSync(config, 'models:\n  - { id: mine, source: "hf:Owner/Repo:m-Q8_0.gguf" }\n');
    expect((await hearth('show', 'mine', '--config', config)).stderr).toContain('models pull mine');
    const again = await hearth('pull', 'mine', '--json', '--config', config);
    expect(JSON.parse(again.stdout)).toMatchObject({ id: 'mine', path, wasThere: true });
    expect(JSON.parse((await hearth('rm', 'm-Q8_0', '--json')).stdout)).toEqual({
      id: 'm-Q8_0',
      removed: [path],
    });
    expect(existsSync(path)).toBe(false);
  });

  it.each(['hf.co/Owner/Repo:Q8_0', 'https://huggingface.co/Owner/Repo', 'Owner/Repo', 'Owner/Repo:Q8_0'])(
    'pulls what is named as elsewhere: %s',
    async (name) => {
      bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
      expect((await hearth('pull', name)).stdout).toMatch(/served as m-Q8_0\n$/);
      const config = join(dataDir, 'hearth.yaml');
      if (!name.includes('.co/')) return;
      writeFileSync(config, `models:\n  - { id: mine, source: "${name}" }\n`);
      expect((await hearth('show', 'mine', '--config', config)).stdout).toMatch(/^id +mine\n/);
    },
  );

  it('gives no id of another model away, before anything is downloaded, and takes another one', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) }, { repository: 'Second/Repo' });
    await hearth('pull', 'hf:Second/Repo');
    // By the order of their paths this one would come first.
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(2) }, { repository: 'First/Repo' });
    bench.server.requests.length = 0;
    const refused = await hearth('pull', 'hf:First/Repo');
    expect(refused.stderr).toMatch(
      /^hearth: the id "m-Q8_0" is taken by .*Second.Repo.* \(.*--id NAME.*\)\n$/,
    );
    expect(refused.exitCode).toBe(1);
    expect(bench.downloads()).toEqual([]);
    expect((await hearth('pull', 'hf:First/Repo', '--id', 'm 2')).stderr).toMatch(/--id must be 1 to 200/);
    expect((await hearth('pull', 'hf:First/Repo', '--id', 'm-2')).stdout).toMatch(/served as m-2\n$/);
    const paths = async (): Promise<unknown> =>
      (
        JSON.parse((await hearth('list', '--json')).stdout) as { models: { id: string; path: string }[] }
      ).models
        .filter(({ id }) => id.startsWith('m-'))
        .map(({ id, path }) => [id, path.includes('First')]);
    expect(await paths()).toEqual([
      ['m-2', true],
      ['m-Q8_0', false],
    ]);
    // The same again asks for no id, and a new one takes the place of the old.
    expect((await hearth('pull', 'hf:First/Repo')).stdout).toMatch(/was there already\nserved as m-2\n$/);
    expect((await hearth('pull', 'hf:First/Repo', '--id', 'm-3')).stdout).toMatch(/served as m-3\n$/);
    expect((await hearth('pull', 'hf:Second/Repo', '--id', 'm-3')).stderr).toMatch(/"m-3" is taken/);
    await hearth('rm', 'm-3');
    expect(await paths()).toEqual([['m-Q8_0', false]]);
  });

  it('leaves the id of a configured model to the configuration', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': seededModel(1) });
    const config = join(dataDir, 'hearth.yaml');
    writeFileSync(config, 'models:\n  - { id: mine, source: "hf:Owner/Repo:Q8_0", aliases: [ours] }\n');
    const pull = (...args: string[]): ReturnType<typeof hearth> =>
      hearth('pull', ...args, '--config', config);
    expect((await pull('mine', '--id', 'other')).stderr).toMatch(
      /the configuration serves this model as "mine"/,
    );
    expect((await pull('mine')).stdout).toMatch(/served as mine\n$/);
    expect((await pull('hf:Owner/Repo', '--id', 'other')).stderr).toMatch(/serves this model as "mine"/);
    bench.putRepository({ 'ours.gguf': seededModel(2) }, { repository: 'Owner/Other' });
    expect((await pull('hf:Owner/Other')).stderr).toMatch(/the id "ours" is taken by/);
  });

  it('never removes what it did not pull', async () => {
    const path = join(modelsDir, 'one.gguf');
    writeFileSync(path, ggufFile());
    const { stderr, exitCode } = await hearth('rm', 'one');
    expect(stderr).toMatch(/^hearth: "one" was not pulled \(.*\)\n$/);
    expect(exitCode).toBe(1);
    expect(existsSync(path)).toBe(true);
  });

  it('suggests what this machine runs well, and tells how fast', async () => {
    await giveMachineSpeed(dataDir);
    const { stdout } = await hearth('pull', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ suggested: expect.any(String) });
    expect((await hearth('pull')).stdout).toMatch(
      /This machine: \d.* cores?\b.*\nTo talk: .* models pull \S+ .*\nSpeech: .*\nTo be read to: .*\nEmbeddings: .*\n$/,
    );
  });

  it.each([
    ['a name that nobody knows', 'qwen3-0.6', /did you mean qwen3-0.6b/],
    [
      'a name as Ollama has it',
      'llama3',
      /did you mean llama-3\.2-1b.*https:\/\/.*search=llama3: .*hf:Owner/,
    ],
    ['a name with a tag', 'gemma3:1b', /did you mean gemma-3-1b.*search=gemma3:/],
    [
      'a name like no other',
      'zzzz',
      /^hearth: no model "zzzz" is known by name \(others are at https:\/\/.*search=zzzz: .*models pull --data-dir/,
    ],
    ['a repository that is not there', 'hf:No/Where', /does not exist/],
    ['a source that makes no sense', 'hf:nonsense', /is not of the form/],
  ])('fails in one line for %s', async (_what, name, message) => {
    const { stderr, exitCode } = await hearth('pull', name);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(1);
  });
});
