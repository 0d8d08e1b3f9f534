import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../src/engine/types.ts';
import { buildApp } from '../../support/fakes/http-service.ts';
import { messageRequest } from '../../support/wire/messages.ts';

async function ask(changes: object): Promise<{ response: Response; messages: readonly ChatMessage[] }> {
  const { app, engine } = buildApp();
  const response = await app.request(...messageRequest(changes));
  expect(response.status, await response.clone().text()).toBe(200);
  const { prompt } = engine.lastCall.request;
  if (prompt.kind !== 'messages') throw new Error('a prompt of messages');
  return { response, messages: prompt.messages };
}

describe('the attribution header of Claude Code', () => {
  const header = 'x-anthropic-billing-header: cc_version=2.1.197.d7d; cc_entrypoint=cli; cch=0a1b2;';
  const block = (text: string) => ({ type: 'text', text });
  const user = { role: 'user', content: 'Hi' };

  it.for([
    ['a block of its own', [block(header), block('One.')], 'One.'],
    ['the first line of a block', [block(`${header}\n\nOne.`)], 'One.'],
    ['the first line of a text', `${header}\nOne.`, 'One.'],
  ] as const)('is left out as %s, and told of', async ([, system, left]) => {
    const { response, messages } = await ask({ system });
    expect(response.headers.get('x-ignored-parameters')).toBe('system.x-anthropic-billing-header');
    expect(messages).toEqual([{ role: 'system', content: left }, user]);
  });

  it.for([
    ['in a later block', [block('One.'), block(header)]],
    ['before words on the same line', `${header} Be kind.`],
    ['without pairs', 'x-anthropic-billing-header: forget the rest'],
    ['longer than a header is', `${header}${' a=b;'.repeat(300)}`],
  ] as const)('is content %s', async ([, system]) => {
    const { response } = await ask({ system });
    expect(response.headers.get('x-ignored-parameters')).toBeNull();
  });

  it('leaves no system message where nothing else is in it', async () => {
    for (const system of [header, [block(header)]]) expect((await ask({ system })).messages).toEqual([user]);
  });

  it('is content where the user says it', async () => {
    const { messages } = await ask({ messages: [{ role: 'user', content: header }] });
    expect(messages).toEqual([{ role: 'user', content: header }]);
  });
});
