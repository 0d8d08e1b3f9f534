import { formatPath } from '../../words/format-path.ts';
import { nearestName } from '../../words/nearest-names.ts';

/** Keys of a model's entry, with their names in llama.cpp, Ollama, LM Studio, vLLM and LiteLLM. */
const entryNames: Readonly<Record<string, string>> = {
  context:
    'num_ctx n_ctx ctx ctx_size context_length context_size context_window max_model_len max_context_length',
  gpuLayers: 'n_gpu_layers ngl num_gpu gpu_layers gpu offload',
  threads: 'n_threads num_thread num_threads cpu_threads',
  parallel: 'n_parallel np num_parallel max_num_seqs slots concurrency',
  source: 'path file filename model_path model model_file gguf url repo hf hf_repo from uri download',
  projector: 'mmproj clip clip_model_path vision',
  cacheType: 'cache_type_k cache_type_v type_k type_v kv_cache_type kv_cache_dtype',
  flashAttention: 'flash_attn fa flash',
  keepAlive: 'ttl idle_timeout unload_after',
  preload: 'load autoload warmup eager',
  id: 'name model_name title display_name label',
  aliases: 'alias served_model_name also',
  lora: 'loras adapter adapters lora_path',
  drafts: 'draft speculative speculative_config',
  'upstream: { apiKey: { env: NAME } }':
    'api_key key token secret password auth bearer authorization headers',
  'upstream: { url: … }': 'base_url api_base endpoint host server address provider',
  isolation: 'process sandbox isolate',
  dimensions: 'matryoshka mrl is_matryoshka truncate_dim',
  images: 'multimodal supports_vision',
  reasoning: 'think thinking reasoning_effort',
  kind: 'type task mode',
  temperature: 'temp',
  system: 'system_prompt prompt instructions',
  stop: 'stop_sequences stop_words',
  repeat_penalty: 'repetition_penalty',
};

/** Advice in place of keys that an entry has none for. */
const entryRemedies: Readonly<Record<string, string>> = {
  'each request says max_tokens itself': 'max_tokens num_predict n_predict max_new_tokens predict',
  "the chat template in the model's file counts": 'template chat_template jinja',
  'the quantisation stands in the source: hf:Owner/Repo:QUANT': 'quant quantization quantisation dtype',
  'hearth maps files and locks none by itself': 'mmap use_mmap mlock use_mlock no_mmap',
  'batch sizes are chosen by themselves': 'batch batch_size n_batch ubatch ubatch_size',
  'it is filled in by hearth itself':
    'object created owned_by parameters_number capabilities state max_output',
};

const upstreamNames: Readonly<Record<string, string>> = {
  url: 'urls base_url api_base endpoint host address addresses server',
  'apiKey: { env: NAME }': 'api_key key token secret password auth bearer authorization headers',
  model: 'name id model_name served_model_name',
  concurrency: 'parallel max_concurrent limit slots',
  label: 'title display_name server_name server_label',
};

const fileNames: Readonly<Record<string, string>> = {
  'host: 0.0.0.0': 'lan listen_all public expose network',
  host: 'listen address bind bind_address ip interface hostname',
  models: 'model model_list',
  modelsDir: 'model_dir models_path model_path models_folder folder',
  dataDir: 'data data_path storage db database',
  corsOrigins: 'cors origins allowed_origins cors_allow_origins',
  logLevel: 'log verbose verbosity debug',
  tls: 'ssl https cert certificate',
  plans: 'limits limit rate_limit rate_limits quota quotas',
  prices: 'price cost costs pricing',
  webhook: 'webhooks notices alerts notifications hooks',
  mcp: 'mcp_servers tools',
  memory: 'ram max_memory',
  gpuMemory: 'vram max_vram',
  voices: 'voice speakers',
};

const fileRemedies: Readonly<Record<string, string>> = {
  'it goes into the entry of a model, under models':
    'context num_ctx threads parallel keep_alive gpu_layers n_gpu_layers temperature system top_p upstream aliases',
  'the first key comes from the variable HEARTH_API_KEY, others from: hearth keys create':
    'api_key api_keys key keys token auth no_key',
  'accounts are made with: hearth accounts create': 'accounts account users user',
  'the variable HEARTH_GPU says it': 'gpu cuda vulkan',
};

const serverNames: Readonly<Record<string, string>> = {
  command: 'cmd exec program run',
  args: 'arguments params',
  env: 'environment',
  url: 'endpoint server_url base_url',
  headers: 'http_headers auth token api_key',
  tools: 'allowed_tools enabled_tools',
  approval: 'require_approval auto_approve always_allow',
};

const planNames: Readonly<Record<string, string>> = {
  'limits: { requests: { minute: … } }': 'rpm requests requests_per_minute',
  'limits: { inputTokens: { minute: … }, outputTokens: { minute: … } }': 'tpm tokens tokens_per_minute',
  days: 'expires duration valid_for',
};

const limitNames: Readonly<Record<string, string>> = {
  requests: 'rpm rpd calls',
  'inputTokens: …, outputTokens: …': 'tokens tpm tpd total_tokens',
  inputTokens: 'prompt_tokens tokens_in',
  outputTokens: 'completion_tokens tokens_out',
  audioSeconds: 'audio seconds audio_minutes',
};

const priceNames: Readonly<Record<string, string>> = {
  inputTokens: 'prompt_tokens input prompt input_cost_per_token tokens_in',
  outputTokens: 'completion_tokens output completion output_cost_per_token tokens_out',
  cachedTokens: 'cached cache_read input_cache_read cached_input',
  audioSeconds: 'audio_second audio seconds',
  requests: 'request call calls',
};

type Names = Readonly<Record<string, string>>;

/** The names of others by the place in the file where they may stand. */
const others: readonly (readonly [place: RegExp, names: Names, remedies?: Names])[] = [
  [/^$/, fileNames, fileRemedies],
  [/^models\[\d+\]$/, entryNames, entryRemedies],
  [/^models\[\d+\]\.upstream$/, upstreamNames],
  [/^mcp\.[^.]+$/, serverNames, { 'a command or a url says it': 'type transport' }],
  [/^plans\.[^.]+$/, planNames],
  [/\.limits$/, limitNames],
  [/^prices\.[^.]+$/, priceNames],
  [/\.limits\.\w+$/, { '30d': 'month monthly', day: 'daily 24h 1d', minute: '1m 60s', hour: 'hourly 1h' }],
];

/** A name without the case and the marks in which programs differ: `n_gpu_layers` is `nGpuLayers`, `n-gpu-layers`. */
const bare = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const secretName = /apikey|accesstoken|authorization|bearer|credential|passw|secret/;

/** Whether a text in `value`, at any depth, has a name that secrets have. */
export const namesSecret = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, field]) =>
    typeof field === 'string' ? secretName.test(bare(name)) : namesSecret(field),
  );

const meaningOf = (key: string, names: Names) =>
  Object.keys(names).find((meaning) => names[meaning]?.split(' ').some((name) => bare(name) === key));

/**
 * Advice in place of the unknown key `key` at `path`, where the schema has the keys `known`; it completes a sentence.
 */
export function remedyFor(key: string, path: readonly PropertyKey[], known: readonly string[]): string {
  const place = formatPath(path);
  const [, names = {}, remedies = {}] = others.find(([pattern]) => pattern.test(place)) ?? [];
  const same = known.find((name) => bare(name) === bare(key));
  if (same !== undefined) return `the nearest known key is "${same}"`;
  const meaning = meaningOf(bare(key), names);
  if (meaning !== undefined) return `here that is ${meaning.includes(':') ? meaning : `"${meaning}"`}`;
  const remedy = meaningOf(bare(key), remedies);
  if (remedy !== undefined) return remedy;
  const near = nearestName(key, known);
  if (near !== undefined) return `the nearest known key is "${near}"`;
  const own = known.includes('info') ? '; fields of your own go under "info"' : '';
  return `known are ${known.toSorted().join(', ')}${own}`;
}
