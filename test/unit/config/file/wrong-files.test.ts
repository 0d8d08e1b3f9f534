import { expect, it } from 'vitest';
import { parseConfigFile } from '../../../../src/config/file/read-config-file.ts';

const entry = (lines: string) => `models:\n  - id: a\n    ${lines}`;
const upstream = (line: string) => entry(`upstream:\n      url: http://x/v1\n      ${line}`);

/** A file of settings as people write them who come from another program, its wrong line, and the remedy. */
const wrong: readonly (readonly [yaml: string, line: number, remedy: string])[] = [
  [entry('num_ctx: 8192'), 3, '"context"'],
  [entry('n_ctx: 8192'), 3, '"context"'],
  [entry('ctx-size: 8192'), 3, '"context"'],
  [entry('context_length: 8192'), 3, '"context"'],
  [entry('max_model_len: 8192'), 3, '"context"'],
  [entry('contextSize: 8192'), 3, '"context"'],
  [entry('n_gpu_layers: 99'), 3, '"gpuLayers"'],
  [entry('ngl: 99'), 3, '"gpuLayers"'],
  [entry('num_gpu: 99'), 3, '"gpuLayers"'],
  [entry('gpu_layers: 99'), 3, '"gpuLayers"'],
  [entry('num_thread: 4'), 3, '"threads"'],
  [entry('n_parallel: 4'), 3, '"parallel"'],
  [entry('path: /models/a.gguf'), 3, '"source"'],
  [entry('file: /models/a.gguf'), 3, '"source"'],
  [entry('model: /models/a.gguf'), 3, '"source"'],
  [entry('url: https://x/a.gguf'), 3, '"source"'],
  [entry('hf_repo: a/b'), 3, '"source"'],
  [entry('mmproj: /models/p.gguf'), 3, '"projector"'],
  [entry('cache_type_k: q8_0'), 3, '"cacheType"'],
  [entry('kv-cache-type: q8_0'), 3, '"cacheType"'],
  [entry('flash_attn: true'), 3, '"flashAttention"'],
  [entry('keep_alive: 5m'), 3, '"keepAlive"'],
  [entry('ttl: 300'), 3, '"keepAlive"'],
  [entry('alias: gpt-4o'), 3, '"aliases"'],
  [entry('name: b'), 3, '"id"'],
  [entry('topP: 0.9'), 3, '"top_p"'],
  [entry('temp: 0.1'), 3, '"temperature"'],
  [entry('system_prompt: Hi.'), 3, '"system"'],
  [entry('repetition_penalty: 1.1'), 3, '"repeat_penalty"'],
  [entry('max_tokens: 100'), 3, 'max_tokens itself'],
  [entry('num_predict: 100'), 3, 'max_tokens itself'],
  [entry('chat_template: x'), 3, 'the chat template'],
  [entry('use_mmap: true'), 3, 'maps files'],
  [entry('quantization: Q4_0'), 3, 'hf:Owner/Repo:QUANT'],
  [entry('owned_by: me'), 3, '"ownedBy"'],
  [entry('capabilities: {}'), 3, 'filled in by hearth'],
  [entry('max_output: 100'), 3, 'filled in by hearth'],
  [entry('team: blue'), 3, 'fields of your own go under "info"'],
  [entry('__proto__: 1'), 3, 'cannot be a name'],
  [entry('upstream: { url: http://x/v1 }\n    apiKey: sk-1'), 4, 'upstream: { apiKey: { env: NAME } }'],
  [entry('upstream: { url: http://x/v1 }\n    api_key: sk-1'), 4, 'upstream: { apiKey: { env: NAME } }'],
  [
    entry('upstream: { url: http://x/v1 }\n    Authorization: sk-1'),
    4,
    'upstream: { apiKey: { env: NAME } }',
  ],
  [entry('base_url: http://x/v1'), 3, 'upstream: { url: … }'],
  [upstream('api_key: sk-1'), 5, '"apiKey"'],
  [upstream('key: sk-1'), 5, 'apiKey: { env: NAME }'],
  [upstream('base_url: http://x/v1'), 5, '"url"'],
  [upstream('apiKey: sk-1'), 5, '{ env: NAME } or { file: PATH }'],
  [upstream('organization: x'), 5, 'known are apiKey, concurrency, label, model, timeout, url'],
  [entry('lora: { path: a }'), 3, 'must be a list'],
  [entry('aliases: gpt-4o'), 3, 'must be a list'],
  [entry('temperature: warm'), 3, 'must be a number'],
  [entry('temperature: 3'), 3, 'must be at most 2'],
  [entry('preload: yes'), 3, 'write true or false'],
  [entry('context: 8k'), 3, 'must be a number'],
  [entry('stop: 5'), 3, 'a text, or a list'],
  [entry('info: blue'), 3, 'must be a map'],
  [entry('info: { api_key: sk-1 }'), 3, 'no secret may stand in it'],
  [entry('info: { upstream: [{ clientSecret: sk-1 }] }'), 3, 'no secret may stand in it'],
  [upstream('apiKey: { env: sk-1 }'), 5, '{ env: NAME } or { file: PATH }'],
  [entry('keepAlive:'), 3, 'has no value'],
  ['models:\n  a: { source: x }', 1, 'must be a list, whose entries begin with "- "'],
  ['models:', 1, 'has no value'],
  ['models: [qwen]', 1, 'must be a map'],
  ['model: qwen', 1, '"models"'],
  ['lan: true', 1, 'host: 0.0.0.0'],
  ['listen: 0.0.0.0', 1, '"host"'],
  ['models_dir: /models', 1, '"modelsDir"'],
  ['data_dir: /data', 1, '"dataDir"'],
  ['api_key: sk-1', 1, 'HEARTH_API_KEY'],
  ['num_ctx: 8192', 1, 'the entry of a model'],
  ['log: debug', 1, '"logLevel"'],
  ['logLevel: verbose', 1, 'must be one of trace'],
  ['cors: "*"', 1, '"corsOrigins"'],
  ['users: [a]', 1, 'hearth accounts create'],
  ['rate_limit: 60', 1, '"plans"'],
  ['whatever: 1', 1, 'cacheMemory, corsOrigins'],
  ['port: "8080"', 1, 'must be a number'],
  ['port: 70000', 1, 'must be at most 65535'],
  ['memory: 12', 1, 'write 12MiB or 12GiB'],
  ['cacheMemory: 4', 1, 'write 4MiB or 4GiB'],
  ['gpuMemory: 6', 1, 'write 6MiB or 6GiB'],
  ['vram: 6GiB', 1, '"gpuMemory"'],
  ['filesLimit: 999999', 1, 'write 999999MiB'],
  ['memory: 12 gigs', 1, 'not a size'],
  ['memory: 0', 1, 'not a size'],
  ['loadTimeout: 60', 1, '500ms, 30s'],
  ['plans:\n  p:\n    limits:\n      requests: 60', 4, 'must be a map'],
  ['plans:\n  p:\n    limits:\n      tokens: { day: 1 }', 4, 'inputTokens: …, outputTokens: …'],
  ['plans:\n  p:\n    rpm: 60', 3, 'limits: { requests: { minute: … } }'],
  ['plans:\n  p:', 2, 'has no value'],
  ['tls: true', 1, 'self-signed, or the files'],
  ['mcp:\n  files:\n    cmd: x', 3, '"command"'],
  ['hello', 1, 'must be a map'],
  ['a: &a [x]\nb: *c', 2, 'not valid YAML'],
  ['host: "a', 1, 'not valid YAML'],
  ['host: a\n\tport: 1', 2, 'not valid YAML'],
];

it.each(wrong)('%j is refused in line %i with: %s', (yaml, line, remedy) => {
  let message = '';
  try {
    parseConfigFile(yaml, 'hearth.yaml');
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigError', hint: expect.stringMatching(/./) as string });
    message = (error as Error).message;
  }
  expect(message).toMatch(new RegExp(`^hearth\\.yaml:${line}: `));
  expect(message).toContain(remedy);
  expect(message).not.toMatch(/expected|received|Invalid/);
  expect(message).not.toContain('sk-1');
  expect(message.length).toBeLessThan(600);
});

it('a small file of aliases that would be a huge one is refused', () => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(9)}]`,
  );
  expect(() => parseConfigFile(`a0: &a0 x\n${levels.join('\n')}`, 'hearth.yaml')).toThrow(
    /hearth\.yaml:\d: not valid YAML/,
  );
});
