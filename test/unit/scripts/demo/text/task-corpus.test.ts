import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../../../scripts/demo/text/conversation.ts';
import { Choices } from '../../../../../scripts/demo/text/corpus/text/choices.ts';
import { taskGroups } from '../../../../../scripts/demo/text/corpus/groups.ts';
import { blindTaskCases, taskCases } from '../../../../../scripts/demo/text/evaluation/held-out.ts';

const ajv = new Ajv();

function sample(seed: number, count: number): Conversation[] {
  const choices = new Choices(seed);
  const writers = taskGroups.map(({ write, weight }) => [write, weight] as const);
  return Array.from({ length: count }, () => choices.weighted(writers)(choices));
}

describe('task conversations', () => {
  const conversations = sample(1, 8000);

  it('take turns: user, assistant, a result for each call', () => {
    for (const { messages } of conversations.slice(0, 1500)) {
      const turns = messages[0]?.role === 'system' ? messages.slice(1) : messages;
      let awaited = 0;
      let previous = 'assistant';
      for (const message of turns) {
        if (message.role === 'tool') awaited--;
        else expect(awaited).toBe(0);
        if (message.role === 'user') expect(previous).toBe('assistant');
        if (message.role === 'assistant') {
          expect(['user', 'tool']).toContain(previous);
          awaited = message.toolCalls?.length ?? 0;
          expect(message.content === '').toBe(awaited > 0);
        }
        previous = message.role;
      }
      expect(previous).toBe('assistant');
    }
  });

  it('think exactly where thinking is asked for', () => {
    for (const { thinking, messages } of conversations.slice(0, 1500)) {
      for (const message of messages) {
        if (message.role === 'assistant') expect(message.thought !== undefined).toBe(thinking === true);
      }
    }
  });

  it('call offered tools with fitting arguments that the user has said', () => {
    for (const { tools = [], messages } of conversations.slice(0, 1500)) {
      let said = '';
      for (const message of messages) {
        if (message.role === 'user') said = message.content;
        if (message.role !== 'assistant') continue;
        for (const call of message.toolCalls ?? []) {
          const tool = tools.find(({ name }) => name === call.name);
          expect(tool).toBeDefined();
          const fits = ajv.validate({ ...tool?.parameters, additionalProperties: false }, call.arguments);
          expect(fits, `${said} ${ajv.errorsText()}`).toBe(true);
          const order = Object.keys(tool?.parameters.properties ?? {}).filter((key) => key in call.arguments);
          expect(Object.keys(call.arguments)).toEqual(order);
          for (const [key, value] of Object.entries(call.arguments)) {
            // "With milk" and "without milk" tell a boolean as well as "milk true".
            if (typeof value === 'boolean')
              expect(said.toLowerCase().replaceAll('_', ' ')).toContain(key.replaceAll('_', ' '));
            else expect(said).toContain(String(value));
          }
        }
      }
    }
  });

  it('offer tools of different names', () => {
    for (const { tools = [] } of conversations.slice(0, 1500)) {
      expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    }
  });

  it('answer in JSON, with values that the user has said', () => {
    for (const { messages } of conversations.filter(({ group }) => group === 'json').slice(0, 1000)) {
      const parsed: unknown = JSON.parse(messages.at(-1)?.content ?? '');
      const said = messages.at(-2)?.content ?? '';
      for (const leaf of leaves(parsed)) {
        if (typeof leaf !== 'boolean') expect(said.toLowerCase()).toContain(String(leaf).toLowerCase());
      }
    }
  });

  it('are the same for the same seed', () => {
    expect(sample(7, 300)).toEqual(sample(7, 300));
    expect(sample(7, 300)).not.toEqual(sample(8, 300));
  });

  it('hold no tool and no question of the evaluation', () => {
    const names = new Set(conversations.flatMap(({ tools = [] }) => tools.map(({ name }) => name)));
    const texts = new Set(
      conversations.flatMap(({ messages }) =>
        messages.filter(({ role }) => role === 'user').map(({ content }) => content.toLowerCase()),
      ),
    );
    expect(names.size).toBeGreaterThan(4000);
    for (const { tools = [], messages } of [...taskCases, ...blindTaskCases]) {
      for (const { name } of tools) expect(names).not.toContain(name);
      const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      expect(texts).not.toContain(asked.toLowerCase());
    }
  });
});

describe('task cases', () => {
  it('refuse an empty answer', () => {
    for (const { accepts } of [...taskCases, ...blindTaskCases])
      expect(accepts({ text: '', thought: '', toolCalls: [] })).toBe(false);
  });

  it('are many in each group', () => {
    const count = (group: string): number => taskCases.filter((one) => one.group === group).length;
    expect(count('tools')).toBeGreaterThanOrEqual(45);
    expect(count('tool-results')).toBeGreaterThanOrEqual(20);
    expect(count('no-tool-fits')).toBeGreaterThanOrEqual(20);
    expect(count('thinking')).toBeGreaterThanOrEqual(25);
    expect(count('json')).toBeGreaterThanOrEqual(25);
  });
});

function leaves(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}
