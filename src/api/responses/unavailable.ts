import { unsupported } from '../request/validate.ts';
import type { ResponseParameters } from './schema.ts';

/**
 * Throws unsupported_value for parameters that the endpoint knows but does not support: background work, conversations
 * and prompts kept by the server, files. All of these are checked here and nowhere else. A value that asks
 * for nothing is accepted.
 */
export function refuseUnavailable(parameters: ResponseParameters): void {
  const { background, conversation, prompt, context_management: management, moderation } = parameters;
  if (background === true) {
    throw unsupported(['background'], 'Leave it out, and stream the answer where it takes long.');
  }
  if (conversation !== undefined) {
    throw unsupported(
      ['conversation'],
      "Continue with 'previous_response_id', or send the whole conversation as 'input'.",
    );
  }
  if (prompt !== undefined) throw unsupported(['prompt'], "Send its text as 'instructions' and 'input'.");
  if (moderation !== undefined) throw unsupported(['moderation'], 'Nothing is moderated here: leave it out.');
  if (management !== undefined && !(Array.isArray(management) && management.length === 0)) {
    throw unsupported(['context_management'], 'Leave it out; \'truncation\' may be "auto".');
  }
  if (parameters.stream_options?.include_obfuscation === true) {
    throw unsupported(['stream_options', 'include_obfuscation'], 'Events are not padded here: leave it out.');
  }
}
