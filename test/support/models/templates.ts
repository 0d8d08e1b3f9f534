import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Llama } from 'node-llama-cpp';
import { createTemplateRenderer } from '../../../src/engine/llama/template-engine.ts';
import { ChatTemplate } from '../../../src/engine/prompt/chat-template.ts';
import { keptTestLlama } from './native-model.ts';

const folder = fileURLToPath(new URL('../../../../shared/templates/', import.meta.url));

/** Chat templates of real models beside the checkout, by name; empty where there are none, as in a plain clone. */
export const realTemplates: ReadonlyMap<string, string> = new Map(
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.jinja'))
        .map((file) => [file.replace('.jinja', ''), readFileSync(folder + file, 'utf8')])
    : [],
);

/** Whether the templates of llama.cpp's source can be read; without git they are skipped. */
export const hasGit = spawnSync('git', ['--version']).error === undefined;
if (!hasGit)
  console.warn("git is missing (Debian: apt-get install git): llama.cpp's own templates are not tested");

let bundled: ReadonlyMap<string, string> | undefined;

/** The chat templates that come with llama.cpp's source in node-llama-cpp, by name. Takes git, and once a second or two. */
export const bundledTemplates = (): ReadonlyMap<string, string> => (bundled ??= readBundledTemplates());

function readBundledTemplates(): ReadonlyMap<string, string> {
  const work = mkdtempSync(path.join(tmpdir(), 'templates-'));
  try {
    const library = path.dirname(createRequire(import.meta.url).resolve('node-llama-cpp'));
    const bundle = path.join(library, '../llama/gitRelease.bundle');
    execFileSync('git', ['clone', '--quiet', '--bare', bundle, work], { stdio: 'ignore' });
    const git = (...command: string[]) => execFileSync('git', ['-C', work, ...command], { encoding: 'utf8' });
    const files = git('ls-tree', '--name-only', 'HEAD', 'models/templates/').split('\n');
    const names = files.filter((file) => file.endsWith('.jinja'));
    return new Map(names.map((file) => [path.basename(file, '.jinja'), git('show', `HEAD:${file}`)]));
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** One llama.cpp for all templates. */
export const openTemplateEngine = keptTestLlama;

/** The facts of a template take some 70 renders, which serve all tests of a worker. */
const opened = new WeakMap<Llama, Map<string, ChatTemplate>>();

/** The chat template `source`, rendered by llama.cpp's own engine. */
export function openTemplate(engine: Llama, source: string): ChatTemplate {
  const known = opened.get(engine) ?? new Map<string, ChatTemplate>();
  opened.set(engine, known);
  const template = known.get(source) ?? newTemplate(engine, source);
  known.set(source, template);
  return template;
}

function newTemplate(engine: Llama, source: string): ChatTemplate {
  const render = createTemplateRenderer(engine, source);
  return new ChatTemplate({ render, source, bosText: '<s>', eosText: '</s>' });
}

const chatMl = (role: string, content: string) => `<|im_start|>${role}\\n' + ${content} + '<|im_end|>\\n`;
const loop = '{% for message in messages %}';
const generation = "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Small templates, each of one kind, so that tests mean something without the real ones. */
export const ownTemplates = {
  /** No tools, no thoughts, any order of roles. */
  plain: `${loop}{{ '${chatMl("' + message.role + '", 'message.content')}' }}{% endfor %}${generation}`,
  /** Raises at a system message and where user and assistant do not take turns; ignores tool messages. */
  strict: `{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}{% for message in messages %}{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('take turns') }}{% endif %}{{ '[' + message.role + '] ' + message.content + ' ' }}{% endfor %}{% if add_generation_prompt %}{{ '[assistant]' }}{% endif %}`,
  /** As Hermes and Qwen: JSON in tags, thoughts switched by enable_thinking. */
  hermes: `{% if tools %}{{ '<|im_start|>system\\n' }}{% for tool in tools %}{{ tool | tojson }}{{ '\\n' }}{% endfor %}{{ '<|im_end|>\\n' }}{% endif %}${loop}{% if message.role == 'assistant' %}{{ '<|im_start|>assistant\\n' }}{% if message.reasoning_content %}{{ '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' }}{% endif %}{{ message.content }}{% for call in message.tool_calls %}{{ '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}{% endfor %}{{ '<|im_end|>\\n' }}{% else %}{{ '${chatMl("' + message.role + '", 'message.content')}' }}{% endif %}{% endfor %}${generation}{% if enable_thinking is defined and not enable_thinking and add_generation_prompt %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}`,
  /** As Llama 3: one bare JSON object a turn; raises at two. */
  llama: `${loop}{% if message.tool_calls %}{% if message.tool_calls | length != 1 %}{{ raise_exception('one call') }}{% endif %}{% set call = message.tool_calls[0].function %}{{ '<|assistant|>{"name": "' + call.name + '", "parameters": ' + (call.arguments | tojson) + '}<|eot_id|>' }}{% else %}{{ '<|' + message.role + '|>' }}{% if loop.first and tools %}{{ tools | tojson }}{% endif %}{{ message.content + '<|eot_id|>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}`,
  /** As coders: one tag for each argument, text raw; opens the thought by itself. */
  coder: `{% if tools %}{{ tools | tojson }}{% endif %}${loop}{{ '<|' + message.role + '|>\\n' + (message.content or '') }}{% for call in message.tool_calls %}{{ '\\n<tool_call>\\n<function=' + call.function.name + '>\\n' }}{% for key, value in call.function.arguments | items %}{{ '<parameter=' + key + '>\\n' + (value if value is string else value | tojson) + '\\n</parameter>\\n' }}{% endfor %}{{ '</function>\\n</tool_call>' }}{% endfor %}{{ '<|end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\\n<think>\\n' }}{% endif %}`,
  /** One element for each argument, and in it one for each member or item; all of them marked. */
  elements: `{% macro xml(value) %}{% if value is mapping %}{% for key, item in value | items %}]<]x[>[<{{ key }}>{{ xml(item) }}]<]x[>[</{{ key }}>{% endfor %}{% elif value is iterable and value is not string %}{% for item in value %}]<]x[>[<item>{{ xml(item) }}]<]x[>[</item>{% endfor %}{% elif value is string %}{{ value }}{% else %}{{ value | tojson }}{% endif %}{% endmacro %}{% if tools %}{{ tools | tojson }}{% endif %}${loop}{{ '<|' + message.role + '|>' + (message.content or '') }}{% for call in message.tool_calls %}{{ ']<]x[>[<invoke name="' + call.function.name + '">' }}{{ xml(call.function.arguments) }}{{ ']<]x[>[</invoke>' }}{% endfor %}{{ '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}`,
  /** Hands the calls on as they are: a bare list in OpenAI's shape. */
  dumped: `{% if tools %}{{ tools | tojson }}{% endif %}${loop}{{ '<|' + message.role + '|>' }}{% if message.tool_calls %}{{ message.tool_calls | tojson }}{% else %}{{ message.content }}{% endif %}{{ '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}`,
  /** As Llama 4: a bare Python list of calls. */
  python: `{% if tools %}{{ tools | tojson }}{% endif %}${loop}{{ '<|' + message.role + '|>' }}{% if message.tool_calls %}{{ '[' }}{% for call in message.tool_calls %}{{ call.function.name + '(' }}{% for key, value in call.function.arguments | items %}{{ key + '=' + (value | tojson) }}{% if not loop.last %}{{ ', ' }}{% endif %}{% endfor %}{{ ')' }}{% if not loop.last %}{{ ', ' }}{% endif %}{% endfor %}{{ ']' }}{% else %}{{ message.content }}{% endif %}{{ '<|end|>' }}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}`,
  /** As Mistral: a list behind one marker, ids of nine characters, calls and content exclude each other. */
  listed: `{% if tools %}{{ '[AVAILABLE_TOOLS]' + (tools | tojson) }}{% endif %}${loop}{% if message.role == 'user' %}{{ '[INST]' + message.content + '[/INST]' }}{% elif message.role == 'tool' %}{{ '[TOOL_RESULTS]' + message.content + '[/TOOL_RESULTS]' }}{% elif message.content %}{{ message.content + eos_token }}{% else %}{{ '[TOOL_CALLS][' }}{% for call in message.tool_calls %}{% if call.id | length != 9 %}{{ raise_exception('nine') }}{% endif %}{{ '{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + ', "id": "' + call.id + '"}' }}{% if not loop.last %}{{ ', ' }}{% endif %}{% endfor %}{{ ']' + eos_token }}{% endif %}{% endfor %}`,
  /** As gpt-oss: thoughts, answers and calls are messages of their own channels. */
  channels: `{% if tools %}{{ '<|start|>developer<|message|>' + (tools | tojson) + '<|end|>' }}{% endif %}${loop}{% if message.tool_calls %}{% set call = message.tool_calls[0].function %}{% if message.thinking %}{{ '<|start|>assistant<|channel|>analysis<|message|>' + message.thinking + '<|end|>' }}{% endif %}{{ '<|start|>assistant to=functions.' + call.name + '<|channel|>commentary json<|message|>' + (call.arguments | tojson) + '<|call|>' }}{% elif message.role == 'assistant' %}{{ '<|start|>assistant<|channel|>final<|message|>' + message.content + '<|end|>' }}{% elif message.role == 'tool' %}{{ '<|start|>functions to=assistant<|channel|>commentary<|message|>' + message.content + '<|end|>' }}{% else %}{{ '<|start|>' + message.role + '<|message|>' + message.content + '<|end|>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}`,
} as const;
