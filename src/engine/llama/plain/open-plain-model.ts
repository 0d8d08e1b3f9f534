import { can } from '../../../model-kinds.ts';
import { addonRemedy } from '../../addons/addon.ts';
import type { FileModelSpec, ServedModel } from '../../model-backend.ts';
import { LoadRefusedError } from '../../pool/loadable.ts';
import { FairTurns } from '../../queue/fair-turns.ts';
import type { Opening } from '../loading/opening.ts';
import { stepperTrouble } from '../native/stepper.ts';
import { readTokens } from '../tokens/read-tokens.ts';
import { Vocabulary } from '../tokens/vocabulary.ts';
import { PlainChat } from './plain-chat.ts';
import { openVectors, openRanking } from './plain-vectors.ts';

/** The settings with which a model is loaded without the stepper: for one request at a time. */
export const plainSettings = (spec: FileModelSpec): FileModelSpec => ({
  ...spec,
  ...(can(spec, 'generate') && { parallel: 1, reserve: true }),
});

/**
 * A model where the stepper, an addon, is missing: computed by node-llama-cpp's public functions, one request after the
 * other. It lacks pictures, sound and voices, log-probabilities, `minTokens` and `ignoreEos`, drafts, and caches of more
 * than the last conversation; grammars bind only answers that they describe from their beginning.
 */
export async function openPlainModel(opening: Opening): Promise<ServedModel> {
  const { model, spec, chosen, limits, threads, log } = opening;
  const trouble = stepperTrouble() ?? '';
  if (can(spec, 'speak'))
    throw new LoadRefusedError(`it speaks by an addon, which is missing (${trouble}); ${addonRemedy()}`);
  log.warn(
    { model: spec.id, trouble, remedy: addonRemedy() },
    'computes without the stepper, an addon: slower, one request at a time, not with all parameters, and without kept caches',
  );
  const vocabulary = new Vocabulary(model);
  const { contextTokens, memory } = chosen;
  const turns = new FairTurns({ ...limits, parallel: 1 });
  const embedder = openVectors({ model, vocabulary, contextTokens, threads, limits });
  if (can(spec, 'generate')) return await PlainChat.open(opening, vocabulary, turns, embedder);
  const ranked = can(spec, 'rank') ? await openRanking(opening, vocabulary, turns) : undefined;
  if (ranked === undefined) await embedder.open();
  return {
    memory,
    contextTokens,
    tokenize: (request, signal) => readTokens(request, { vocabulary, contextTokens }, signal),
    ...(ranked === undefined
      ? { embed: (request, signal) => embedder.embed(request, signal) }
      : { rank: ranked.rank }),
    async dispose() {
      await ranked?.dispose();
      await embedder.dispose();
      await model.dispose();
    },
  };
}
