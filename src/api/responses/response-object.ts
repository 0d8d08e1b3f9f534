import type { SamplingOptions } from '../../engine/generation/sampling-options.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import { isOffered } from '../parameters/ignored-kinds.ts';
import type { ResponseObject } from './response-schema.ts';
import type { ResponseParameters } from './schema.ts';
import { toWireTools } from './tools/tools.ts';

/** A response that has just begun, with the parameters of the request and the defaults of the others. */
export function toBegunResponse(
  parameters: ResponseParameters,
  sampling: SamplingOptions,
  atSeconds: number,
): ResponseObject {
  return {
    id: createWireId('resp'),
    object: 'response',
    created_at: atSeconds,
    completed_at: null,
    status: 'in_progress',
    incomplete_details: null,
    error: null,
    model: parameters.model,
    previous_response_id: parameters.previous_response_id ?? null,
    instructions: parameters.instructions ?? null,
    output: [],
    tools: toWireTools(parameters.tools ?? []),
    tool_choice: toChoice(parameters.tool_choice),
    parallel_tool_calls: parameters.parallel_tool_calls ?? true,
    max_tool_calls: parameters.max_tool_calls ?? null,
    text: { format: toFormat(parameters.text?.format), verbosity: parameters.text?.verbosity ?? 'medium' },
    reasoning: {
      effort: parameters.reasoning?.effort ?? null,
      summary: parameters.reasoning?.summary ?? null,
    },
    truncation: parameters.truncation ?? 'disabled',
    max_output_tokens: parameters.max_output_tokens ?? null,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    top_logprobs: parameters.top_logprobs ?? 0,
    usage: null,
    store: parameters.store ?? false,
    background: false,
    service_tier: parameters.service_tier === 'flex' ? 'flex' : 'default',
    metadata: { ...parameters.metadata },
    user: parameters.user ?? null,
    safety_identifier: parameters.safety_identifier ?? null,
    prompt_cache_key: parameters.prompt_cache_key ?? null,
    access_programs: null,
  };
}

function toChoice(choice: ResponseParameters['tool_choice']): ResponseObject['tool_choice'] {
  if (choice === undefined) return 'auto';
  if (typeof choice === 'string' || choice.type !== 'allowed_tools') return choice;
  const { type, mode, tools } = choice;
  if (mode === 'none') return mode;
  return { type, mode, tools: tools.filter(isOffered) };
}

function toFormat(
  format: NonNullable<ResponseParameters['text']>['format'],
): ResponseObject['text']['format'] {
  if (format === undefined || format === null) return { type: 'text' };
  if (format.type !== 'json_schema') return format;
  const { type, name, description, schema, strict } = format;
  return { type, name, description: description ?? null, schema, strict: strict ?? true };
}
