import { setImmediate } from 'node:timers/promises';
import type { ChatMessage, Engine, Generation, GenerationRequest } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';

/** Of the turns that are left, so many go at once: each try costs the rendering of all that stay. */
const droppedShare = 1 / 4;

/**
 * `request` as a running generation, without the oldest turns of its conversation where all of them do not fit into
 * the model's context. System messages and the last turn always stay: where these do not fit, it fails as usual.
 */
export async function generateTruncated(
  engine: Engine,
  request: GenerationRequest,
  signal: AbortSignal,
): Promise<Generation> {
  for (let tried = request; ;) {
    const generation = engine.generate(tried, signal);
    await generation.accepted;
    const shorter = (await isTooLong(generation)) ? withoutOldestTurns(tried) : undefined;
    if (shorter === undefined) return generation;
    tried = shorter;
  }
}

/** What does not fit has ended as soon as it would have been accepted. */
async function isTooLong({ ended }: Generation): Promise<boolean> {
  const end = await Promise.race([ended, setImmediate(undefined)]);
  if (end?.outcome !== 'failed' || !(end.error instanceof AppError)) return false;
  return end.error.code === 'context_length_exceeded';
}

/** undefined where only one turn is left. A turn begins with what the user says. */
function withoutOldestTurns(request: GenerationRequest): GenerationRequest | undefined {
  if (request.prompt.kind !== 'messages') return undefined;
  const { messages } = request.prompt;
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const firstKept = starts[Math.ceil(starts.length * droppedShare)];
  if (firstKept === undefined) return undefined;
  const stays = ({ role }: ChatMessage, index: number) => role === 'system' || index >= firstKept;
  return { ...request, prompt: { kind: 'messages', messages: messages.filter(stays) } };
}
