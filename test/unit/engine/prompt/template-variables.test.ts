import { beforeAll, describe, expect, it } from 'vitest';
import type { Llama } from 'node-llama-cpp';
import { switchedReasoning } from '../../../../src/engine/prompt/template/finish-prompt.ts';
import { sortVariables } from '../../../../src/engine/prompt/template/template-variables.ts';
import type { TemplateVariables } from '../../../../src/engine/types.ts';
import { openTemplate, openTemplateEngine, ownTemplates } from '../../../support/models/templates.ts';

let engine: Llama;
beforeAll(async () => {
  engine = await openTemplateEngine();
});

describe('sortVariables', () => {
  it.each([
    ['a name in an expression', '{{ style }}', true],
    ['a name in a statement', '{% if style == "short" %}x{% endif %}', true],
    ['a comment', '{# style #}', false],
    ['text outside of code', 'style', false],
    ['a field', '{{ message.style }}', false],
    ['a text in quotes', "{{ message['style'] }}", false],
    ['a part of another name', '{{ my_style + styles }}', false],
  ])('takes %s for what it is', (_what, source, isRead) => {
    const { read, unread } = sortVariables({ style: 'short' }, source);
    expect(read).toEqual(isRead ? { style: 'short' } : {});
    expect(unread).toEqual(isRead ? [] : ['style']);
  });

  it('lets nobody replace what every conversation sets', () => {
    const source = '{{ messages }}{{ tools }}{{ bos_token }}{{ add_generation_prompt }}';
    const variables = { messages: 'x', tools: 'x', bos_token: 'x', add_generation_prompt: false };
    expect(sortVariables(variables, source)).toEqual({ read: {}, unread: Object.keys(variables) });
  });
});

describe('variables of a conversation', () => {
  const prompt = (variables: TemplateVariables, enabled = false) => {
    const template = openTemplate(engine, ownTemplates.hermes);
    const { thoughts } = template.facts;
    const messages = [{ role: 'user', content: 'Hi' }] as const;
    const switched = switchedReasoning({ templateVariables: variables, reasoning: { enabled } }, thoughts);
    return template.renderPrompt({ messages, reasoning: { enabled }, ...switched, variables });
  };

  it('turn thinking on and off, whatever the request says otherwise', () => {
    expect(prompt({ enable_thinking: false }, true).text).toContain('</think>');
    expect(prompt({ enable_thinking: true }, false).text).not.toContain('</think>');
    expect(prompt({}, false).text).toContain('</think>');
  });

  it('are named where the template does not read them', () => {
    expect(prompt({ enable_thinking: true, style: 'short' }).unreadVariables).toEqual(['style']);
    expect(prompt({ enable_thinking: true })).not.toHaveProperty('unreadVariables');
  });
});
