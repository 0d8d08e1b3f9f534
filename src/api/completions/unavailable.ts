import { unsupported } from '../request/validate.ts';
import type { CompletionParameters } from './schema.ts';

const oneChoice = 'Only 1 completion per prompt is possible: leave it out and send several prompts.';

/** Refuses what the endpoint knows but cannot do; a parameter whose value asks for nothing passes. */
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
