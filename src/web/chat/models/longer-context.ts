import { chatModels, isWell } from '../../state/models.ts';
import type { Model } from '../../api/types.ts';

/** The models that are known to take more than so many tokens, the best choice first. */
export const withLongerContext = (tokens: number): readonly Model[] =>
  chatModels.value.filter((model) => isWell(model) && (model.context_window ?? 0) > tokens);
