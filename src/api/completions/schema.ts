import { z } from 'zod';
import { namedParameters } from '../openapi/json-schema.ts';
import {
  generationParameters,
  modelName,
  streamParameters,
  quietParameters,
} from '../parameters/generation-parameters.ts';
import { answerFormatParameters } from '../parameters/format/answer-format.ts';
import { anyArray, anyObject } from '../parameters/schema-parts.ts';
import { textInputs } from '../parameters/text-inputs.ts';
import { unsupported } from '../request/validate.ts';

/** Each prompt becomes a request of its own to the engine. */
const maxPrompts = 128;

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
export const completionSchema = namedParameters('CreateCompletion', {
  model: modelName,
  prompt: textInputs({ max: maxPrompts, mayBeEmpty: true }),
  suffix: z.string().optional(),
  echo: z.boolean().optional(),
  ...streamParameters,
  best_of: z.int().optional(),
  ...generationParameters,
  max_tokens: z.int().min(0).optional().meta({ default: 16 }),
  logprobs: z.int().min(0).max(20).optional(),

  // Accepted if their values ask for nothing.
  tools: anyArray.optional(),
  tool_choice: z.union([z.string(), anyObject]).optional(),

  ...answerFormatParameters,
  ...quietParameters,
});

export type CompletionParameters = z.output<typeof completionSchema>;

const oneChoice = 'Only 1 completion per prompt is possible: leave it out and send several prompts.';

/**
 * Throws unsupported_value for parameters that the endpoint knows but does not support. A value that asks for nothing
 * is accepted.
 */
export function refuseUnavailable(parameters: CompletionParameters): void {
  const { n = 1, best_of: bestOf = 1, tools = [], tool_choice: toolChoice } = parameters;
  if (n !== 1) throw unsupported(['n'], oneChoice);
  if (bestOf !== 1) throw unsupported(['best_of'], oneChoice);
  const callsTools = tools.length > 0 ? toolChoice !== 'none' : !isNoChoice(toolChoice);
  if (callsTools) {
    throw unsupported(
      [tools.length > 0 ? 'tools' : 'tool_choice'],
      'A text completion calls no tools. Use POST /v1/chat/completions, or set \'tool_choice\' to "none".',
    );
  }
  if (parameters.suffix !== undefined && parameters.suffix !== '' && parameters.echo === true) {
    throw unsupported(['echo'], "A prompt with a 'suffix' cannot be repeated: leave one of the two out.");
  }
}

const isNoChoice = (choice: CompletionParameters['tool_choice']) =>
  choice === undefined || choice === 'none' || choice === 'auto';
