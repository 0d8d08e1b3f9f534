import type { ReasoningRequest, TemplateVariables } from '../../types.ts';
import { fieldsOf, type Fields } from './json.ts';

/** How one kind of server differs from the others in the parameters that it reads. */
export interface ServerKind {
  readonly repeatPenalty: 'repeat_penalty' | 'repetition_penalty';
  /** Parameters that the server ignores without a word. Requests with them are refused here. */
  readonly ignored: readonly string[];
  /** It takes `structured_outputs`: patterns, choices and grammars, and all of these for plain prompts too. */
  readonly hasStructuredOutputs: boolean;
  readonly reasoning: (wish: ReasoningRequest) => ReasoningFields;
  /** The language of a transcription that is to be detected; undefined: none is named. */
  readonly anyLanguage: string | undefined;
}

/** The settings that ask for thoughts: fields of the request, and variables of the chat template. */
interface ReasoningFields {
  readonly fields: Fields;
  readonly variables: TemplateVariables;
}

const effortOf = ({ enabled, effort }: ReasoningRequest): Fields =>
  enabled && effort !== undefined ? { reasoning_effort: effort } : {};

/** As vLLM, SGLang and llama.cpp's server do it: the chat template is told. */
const reasoningInTemplate = (wish: ReasoningRequest): ReasoningFields => ({
  fields: effortOf(wish),
  variables: { enable_thinking: wish.enabled },
});

const vllm: ServerKind = {
  repeatPenalty: 'repetition_penalty',
  ignored: [],
  hasStructuredOutputs: true,
  reasoning: reasoningInTemplate,
  anyLanguage: undefined,
};

/** By the `owned_by` of its models; hearth itself is told by the kind that it gives them. */
const serverKinds: Readonly<Record<string, ServerKind>> = {
  vllm,
  sglang: { ...vllm, ignored: ['suffix'], hasStructuredOutputs: false },
  llamacpp: {
    ...vllm,
    repeatPenalty: 'repeat_penalty',
    ignored: ['min_tokens', 'suffix'],
    hasStructuredOutputs: false,
  },
  hearth: {
    repeatPenalty: 'repeat_penalty',
    ignored: [],
    hasStructuredOutputs: true,
    reasoning: (wish) => ({
      fields: { ...effortOf(wish), reasoning_enabled: wish.enabled },
      variables: {},
    }),
    anyLanguage: 'auto',
  },
};

/** A server that is not known: it gets the parameters of OpenAI's API, and other parameters under their most usual names. */
export const unknownServer: ServerKind = {
  ...vllm,
  hasStructuredOutputs: false,
  reasoning: (wish) => ({ fields: effortOf(wish), variables: {} }),
};

/** The facts of a model in a server's list of models. */
export interface ListedFacts {
  readonly serverKind: ServerKind;
  /** undefined: it does not tell. */
  readonly contextTokens: number | undefined;
}

/** The facts about `model` in the answer to GET /v1/models; those of the first model where it has another name. */
export function readListedFacts(list: Fields, model: string): ListedFacts {
  const models = (Array.isArray(list['data']) ? list['data'] : []).map((entry) => fieldsOf(entry) ?? {});
  const listed = models.find(({ id }) => id === model) ?? models[0] ?? {};
  const owner =
    listed['capabilities'] !== undefined && listed['kind'] !== undefined ? 'hearth' : listed['owned_by'];
  const serverKind =
    typeof owner === 'string' && Object.hasOwn(serverKinds, owner) ? serverKinds[owner] : undefined;
  const { max_model_len, context_window, context_length, meta } = listed;
  const sizes = [max_model_len, context_window, context_length, fieldsOf(meta)?.['n_ctx']];
  const contextTokens = sizes.find((size): size is number => Number.isSafeInteger(size) && Number(size) > 0);
  return { serverKind: serverKind ?? unknownServer, contextTokens };
}
