import { AppError } from '../../../../errors/errors.ts';
import type { ChatMessage, GenerationRequest, OutputFormat, Prompt } from '../../../types.ts';
import type { SamplingOptions } from '../../../generation/sampling-options.ts';
import type { ServerKind } from '../server-kind.ts';
import type { Fields } from '../json.ts';
import { toContent } from './message-parts.ts';
import { offeredTools, toToolFields } from './tool-fields.ts';

/** Names of sampling options on the wire; that of the repeat penalty is the serverKind's. */
const samplingNames = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  xtcProbability: 'xtc_probability',
  xtcThreshold: 'xtc_threshold',
  seed: 'seed',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  logitBias: 'logit_bias',
} as const satisfies Record<Exclude<keyof SamplingOptions, 'repeatPenalty'>, string>;

/** The path of the route for `prompt`, below the base address. */
export const pathFor = ({ kind }: Prompt): string =>
  kind === 'messages' ? '/chat/completions' : '/completions';

/**
 * The body of the request to an upstream, whose own name for the model is `model`. Throws unsupported_value for
 * parameters that the upstream would ignore.
 */
export function toGenerationBody(request: GenerationRequest, model: string, serverKind: ServerKind): Fields {
  const { prompt, stop, maxTokens, minTokens, ignoreEos, prediction } = request;
  const body = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(prompt.kind === 'messages'
      ? toChatFields(request, serverKind, prompt)
      : toTextFields(request, prompt)),
    ...toFormatFields(request, serverKind),
    ...toSamplingFields(request, serverKind),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    // Nothing could end the answer before that many tokens if neither its end nor a stop sequence counts.
    ...(minTokens > 0 && !(ignoreEos && stop.length === 0) && { min_tokens: minTokens }),
    ...(ignoreEos && { ignore_eos: true }),
    ...(stop.length > 0 && { stop }),
    // A server that makes no use of it gives the same answer.
    ...(prediction !== undefined && { prediction: { type: 'content', content: prediction } }),
  };
  for (const name of serverKind.ignored) if (name in body) throw unsupported(name);
  return body;
}

/** Only the parameters that the client chose: for the rest the upstream has defaults of its own, which suit its model. */
function toSamplingFields(
  { sampling, chosenSampling = [] }: GenerationRequest,
  serverKind: ServerKind,
): Fields {
  return Object.fromEntries(
    chosenSampling.map((option) => {
      if (option === 'repeatPenalty') return [serverKind.repeatPenalty, sampling.repeatPenalty];
      const value = sampling[option];
      return [samplingNames[option], value instanceof Map ? Object.fromEntries(value) : value];
    }),
  );
}

function toTextFields(
  { echo, topLogprobs }: GenerationRequest,
  prompt: Exclude<Prompt, { kind: 'messages' }>,
): Fields {
  // hearth repeats a text itself. Only the upstream knows tokens and their log-probabilities.
  if (echo === true && (prompt.kind === 'tokens' || topLogprobs !== undefined)) throw unsupported('echo');
  const { suffix } = prompt;
  if (prompt.kind === 'text') {
    if (prompt.begun) throw unsupported('begun');
    if (prompt.snippets !== undefined && prompt.snippets.length > 0) throw unsupported('snippets');
  }
  return {
    prompt: prompt.kind === 'text' ? prompt.text : prompt.tokens,
    ...(suffix !== undefined && { suffix }),
    ...(topLogprobs !== undefined && { logprobs: topLogprobs }),
  };
}

function toFormatFields({ prompt, outputFormat }: GenerationRequest, serverKind: ServerKind): Fields {
  if (outputFormat === undefined) return {};
  const { kind } = outputFormat;
  // OpenAI's form, which only conversations have.
  if (prompt.kind === 'messages' && kind === 'json-object')
    return { response_format: { type: 'json_object' } };
  if (prompt.kind === 'messages' && kind === 'json-schema') {
    const json_schema = { name: 'answer', schema: outputFormat.schema, strict: true };
    return { response_format: { type: 'json_schema', json_schema } };
  }
  if (serverKind.hasStructuredOutputs) return { structured_outputs: toStructuredOutputs(outputFormat) };
  throw new AppError(
    'unsupported_value',
    'The server that runs this model knows no such form of an answer. Ask a conversation for JSON, or use another model.',
    { param: 'schema' },
  );
}

function toStructuredOutputs(format: OutputFormat): Fields {
  switch (format.kind) {
    case 'json-object':
      return { json_object: true };
    case 'json-schema':
      return { json: format.schema };
    case 'regex':
      return { regex: format.pattern };
    case 'choice':
      return { choice: format.texts };
    case 'grammar':
      return { grammar: format.gbnf };
  }
}

function toChatFields(
  { tools, reasoning, templateVariables, topLogprobs }: GenerationRequest,
  serverKind: ServerKind,
  { messages, continuesLast }: Extract<Prompt, { kind: 'messages' }>,
): Fields {
  const thoughts = reasoning && serverKind.reasoning(reasoning);
  const variables = { ...thoughts?.variables, ...templateVariables };
  return {
    messages: messages.map(toMessage),
    // The other half of the wish in the API of vLLM, which refuses the first alone.
    ...(continuesLast === true && { continue_final_message: true, add_generation_prompt: false }),
    ...(tools && toToolFields(tools)),
    ...thoughts?.fields,
    ...(Object.keys(variables).length > 0 && { chat_template_kwargs: variables }),
    ...(topLogprobs !== undefined && { logprobs: true, top_logprobs: topLogprobs }),
  };
}

function toMessage(message: ChatMessage): Fields {
  const { role, toolCallId, toolCalls, reasoning } = message;
  return {
    role,
    content: toContent(message),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
  };
}

/** The engine's name of the parameter that an upstream calls `param`. */
export function toEngineParam(param: string, { tools }: GenerationRequest): string {
  return param
    .replace(/^(?:response_format\.json_schema\.schema|structured_outputs\.\w+)(?=$|[.[])/, 'schema')
    .replace(/^tools\[(\d+)\]\.function\.parameters(?=$|[.[])/, (_match, index: string) => {
      const place = (tools && offeredTools(tools)[Number(index)]?.index) ?? index;
      return `tools[${place}].parameters`;
    });
}

function unsupported(param: string): AppError {
  return new AppError(
    'unsupported_value',
    `The server that runs this model does not know '${param}'. Leave it out, or use another model.`,
    { param },
  );
}
