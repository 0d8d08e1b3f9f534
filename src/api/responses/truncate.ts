import { setImmediate } from 'node:timers/promises';
import type { ChatMessage, GenerationRequest } from '../../engine/types.ts';
import type { Engine, Generation } from '../../engine/generation.ts';
import { AppError } from '../../errors/errors.ts';

/**
 * The share of the turns that is dropped at a time: to render and tokenise the rest after each single turn would be
 * slow.
 */
const droppedShare = 1 / 4;

/**
 * The running generation of `request`, without the oldest turns if the whole conversation does not fit into the
 * model's context. System messages and the last turn always stay; if they do not fit, it fails as usual.
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

/** Whether the request does not fit. Such a generation has already ended when `accepted` resolves. */
async function isTooLong({ ended }: Generation): Promise<boolean> {
  const end = await Promise.race([ended, setImmediate(undefined)]);
  if (end?.outcome !== 'failed' || !(end.error instanceof AppError)) return false;
  return end.error.code === 'context_length_exceeded';
}

/**
 * `request` without its oldest turns; undefined if only one turn is left. A turn begins with a message of the user.
 */
function withoutOldestTurns(request: GenerationRequest): GenerationRequest | undefined {
  if (request.prompt.kind !== 'messages') return undefined;
  const { messages } = request.prompt;
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const firstKept = starts[Math.ceil(starts.length * droppedShare)];
  if (firstKept === undefined) return undefined;
  const stays = ({ role }: ChatMessage, index: number) => role === 'system' || index >= firstKept;
  return { ...request, prompt: { kind: 'messages', messages: messages.filter(stays) } };
}
