import type { Llama } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnswerCompiler } from '../../../../src/engine/sandbox/answer-compiler.ts';
import { SandboxedTemplate, TemplateError } from '../../../../src/engine/sandbox/sandboxed-template.ts';
import { Sandbox } from '../../../../src/engine/sandbox/sandbox.ts';
import { loadedAddonFile } from '../../../../src/engine/llama/native/loaded-addon-file.ts';
import { demandOf } from '../../../../src/engine/prompt/constrain-answer.ts';
import type { JsonObject } from '../../../../src/engine/types.ts';
import { openTestLlama, silentLog } from '../../../support/models/native-model.ts';
import { openTemplate, ownTemplates } from '../../../support/models/templates.ts';

let llama: Llama;
let sandbox: Sandbox;
beforeAll(async () => {
  llama = await openTestLlama();
  sandbox = new Sandbox(loadedAddonFile(), silentLog);
});
afterAll(async () => {
  await sandbox.close();
  await llama.dispose();
});
const asker = { keyId: 'key' };
const open = (source: string) =>
  SandboxedTemplate.open(sandbox, { source, bosText: '<s>', eosText: '</s>' }, asker);

describe('a guarded template', () => {
  it.for(Object.entries(ownTemplates))('is the same as in this process: %s', async ([, source]) => {
    const [guarded, here] = [await open(source), openTemplate(llama, source)];
    expect(guarded.facts).toEqual(here.facts);
    const conversation = {
      messages: [
        { role: 'system', content: 'Be é🙂\ud800' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', arguments: '{"x":1}' }] },
        { role: 'tool', content: '2', toolCallId: 'a' },
      ],
      tools: [{ name: 'f', parameters: { type: 'object', properties: { x: { type: 'integer' } } } }],
      reasoning: { enabled: true, effort: 'low' },
    } as const;
    expect(await guarded.renderPrompt(conversation, asker)).toEqual(here.renderPrompt(conversation));
  });

  it('is sent to each process once, and named by its id from then on', async () => {
    const guarded = await open(ownTemplates.hermes);
    const asked = vi.spyOn(sandbox, 'run');
    const messages = [{ role: 'user', content: 'Hi' }] as const;
    for (let count = 0; count < 20; count++) await guarded.renderPrompt({ messages }, asker);
    const sent = asked.mock.calls.filter(([job]) => 'template' in job);
    const processes = 4;
    expect(sent.length).toBeLessThan(processes);
    expect(asked.mock.calls.length).toBe(20 + sent.length);
    asked.mockRestore();
  });

  it('that cannot be read is told from one that has no end', async () => {
    await expect(open('{% for %}')).rejects.toBeInstanceOf(TemplateError);
    await expect(open(' '.repeat(2 ** 20 + 1))).rejects.toBeInstanceOf(TemplateError);
    await expect(open('{% macro again(n) %}{{ again(n + 1) }}{% endmacro %}{{ again(0) }}')).rejects.toThrow(
      'ends in a crash',
    );
  });

  it('throws what the template raises, and refuses prompts that no model holds', async () => {
    const messages = [{ role: 'user', content: 'x'.repeat(1000) }] as const;
    const raising = await open("{{ raise_exception('never') }}");
    await expect(raising.renderPrompt({ messages }, asker)).rejects.toThrow('never');
    const long = await open(
      '{% set all = namespace(text=messages[0].content) %}{% if all.text | length > 500 %}{% for i in range(15) %}{% set all.text = all.text + all.text %}{% endfor %}{% endif %}{{ all.text }}',
    );
    await expect(long.renderPrompt({ messages }, asker)).rejects.toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
    });
  });
});

describe('an answer compiler', () => {
  const demand = async (schema: JsonObject) => {
    const { facts } = await open(ownTemplates.hermes);
    const found = demandOf(
      { prompt: { kind: 'messages', messages: [] }, outputFormat: { kind: 'json-schema', schema } },
      facts,
      false,
    );
    return found ?? expect.unreachable('a schema demands something');
  };

  it('compiles what it has compiled before without asking again', async () => {
    const compiler = new AnswerCompiler(sandbox);
    const asked = vi.spyOn(sandbox, 'run');
    const wanted = await demand({ type: 'integer', minimum: 3 });
    asked.mockClear();
    const [first, beside] = await Promise.all([
      compiler.compile(wanted, asker),
      compiler.compile(structuredClone(wanted), asker),
    ]);
    expect(first.gbnf).toContain('root ::=');
    expect(beside).toEqual(first);
    expect(await compiler.compile(wanted, asker)).toEqual(first);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });

  it('compiles for each key what others have asked for, so that nobody learns of it by the time that it takes', async () => {
    const compiler = new AnswerCompiler(sandbox);
    const asked = vi.spyOn(sandbox, 'run');
    const allowed = await demand({ type: 'integer', minimum: 5 });
    const refused = await demand({ type: 'integer', multipleOf: -1 });
    asked.mockClear();
    for (const keyId of ['one', 'another', 'one']) {
      await compiler.compile(allowed, { keyId });
      await expect(compiler.compile(refused, { keyId })).rejects.toMatchObject({
        code: 'invalid_json_schema',
      });
    }
    expect(asked).toHaveBeenCalledTimes(4);
    asked.mockRestore();
  });

  it('remembers refusals, and names the schema that is to blame', async () => {
    const compiler = new AnswerCompiler(sandbox);
    const wanted = await demand({ type: 'object', properties: { a: { type: 'integer', multipleOf: 0 } } });
    const refused = { code: 'invalid_json_schema', param: 'schema.properties.a.multipleOf' };
    await expect(compiler.compile(wanted, asker)).rejects.toMatchObject(refused);
    const asked = vi.spyOn(sandbox, 'run');
    await expect(compiler.compile(wanted, asker)).rejects.toMatchObject(refused);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it('waits no longer than its asker, and goes on for others who wait for the same', async () => {
    const compiler = new AnswerCompiler(sandbox);
    const wanted = await demand({ type: 'integer', minimum: 4 });
    const leaving = new AbortController();
    const left = compiler.compile(wanted, { ...asker, signal: leaving.signal });
    const stays = compiler.compile(wanted, { ...asker, signal: new AbortController().signal });
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect((await stays).gbnf).toContain('root ::=');
  });
});
