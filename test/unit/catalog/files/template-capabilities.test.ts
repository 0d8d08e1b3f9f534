import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { templateKnowsThinking, templateTakesTools } from '../../../../src/catalog/files/model-file.ts';
import { processorMs } from '../../../support/watch/processor-time.ts';

const templatesDir = fileURLToPath(new URL('../../../../../shared/templates/', import.meta.url));
const templates = existsSync(templatesDir)
  ? readdirSync(templatesDir)
      .filter((name) => name.endsWith('.jinja'))
      .map((name) => ({
        name: name.slice(0, -'.jinja'.length),
        text: readFileSync(templatesDir + name, 'utf8'),
      }))
  : [];

describe('templateTakesTools', () => {
  it.each([
    ['{% if tools %}x{% endif %}', true],
    ['{{- tools | tojson }}', true],
    ['{%- for tool in tools -%}{{ tool }}{%- endfor -%}', true],
    ['You have tools.', false],
    ['{# tools #}', false],
    ["{{ 'tools' }}", false],
    ['{{ message.tools }}', false],
    ['{{ builtin_tools }}', false],
    ['{% set a = "it\\"s" %}{{ tools }}', true],
  ])('%s: %s', (template, expected) => {
    expect(templateTakesTools(template)).toBe(expected);
  });
});

describe('templateKnowsThinking', () => {
  it.each([
    ['<think>', true],
    ['{{ "</think>" }}', true],
    ['[THINK]', true],
    ['{% if enable_thinking %}{% endif %}', true],
    ['{% if reasoning_effort is defined %}{% endif %}', true],
    ["{{ message['reasoning_content'] }}", true],
    ['{{ message.reasoning }}', true],
    ['Think before you answer, and give your reasoning.', false],
    ['{{ "Explain your reasoning" }}', false],
    ['{# <think> #}', false],
    ['{{ rethink }}', false],
  ])('%s: %s', (template, expected) => {
    expect(templateKnowsThinking(template)).toBe(expected);
  });
});

describe('both', () => {
  it.each([
    ['openings', '{{'.repeat(300_000)],
    ['quotes', `{{ ${"\\'".repeat(300_000)}`],
    ['open quotes', `{{ ${"'".repeat(300_001)}`],
    ['comments', '{#'.repeat(300_000)],
    ['one word', `{{ '${'thinking'.repeat(80_000)}`],
    ['one name', `{{ ${'reasoning_'.repeat(80_000)} `],
    ['braces', '{'.repeat(600_000)],
  ])('end soon on endless %s', (_what, template) => {
    const startedAtMs = processorMs();
    templateTakesTools(template);
    templateKnowsThinking(template);
    expect(processorMs() - startedAtMs).toBeLessThan(2000);
  });
});

describe(`real templates${templates.length === 0 ? ' (skipped: ../shared/templates is absent)' : ''}`, () => {
  const withoutTools = /SmolLM3|R1-Distill|DeepSeek-V3\.1|firefunction|gemma-2|rwkv|Phi-3\.5/;
  const thinking =
    /Apertus|Bielik|Cohere2MoE|command-r7b|GLM|SmolLM3|K2-Thinking|LFM2\.5|MiniMax-M2|Nemotron-3|QwQ|Qwen3-0\.6B|Reka|[dD]eep[sS]eek|gemma-4|granite-3\.3|rwkv|gpt-oss|Laguna|Apriel/;

  it.skipIf(templates.length === 0)('are told apart', () => {
    expect(templates.filter(({ text }) => !templateTakesTools(text)).map(({ name }) => name)).toEqual(
      templates.filter(({ name }) => withoutTools.test(name)).map(({ name }) => name),
    );
    expect(templates.filter(({ text }) => templateKnowsThinking(text)).map(({ name }) => name)).toEqual(
      templates.filter(({ name }) => thinking.test(name)).map(({ name }) => name),
    );
  });
});
