import { nearestNames } from '../../words/nearest-names.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { preferredModel } from '../../config/demo.ts';
import type { ChatModel } from './backends/backend.ts';

const maxNear = 3;

/** The name to ask for: `wanted` where there is such a model, else the best there is. Throws CliError. */
export function chooseChatModel(
  models: readonly Pick<ChatModel, 'id' | 'aliases'>[],
  wanted: string | undefined,
): string {
  if (wanted === undefined) {
    const model = preferredModel(models);
    if (model === undefined)
      throw new CliError('there is no chat model yet', 'get one with: hearth models pull');
    return model.id;
  }
  const names = models.flatMap(({ id, aliases }) => [id, ...aliases]);
  if (names.includes(wanted)) return wanted;
  const near = nearestNames(wanted, names, maxNear);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `there are: ${models.map(({ id }) => id).join(', ') || 'none'}`;
  throw new CliError(`there is no chat model "${wanted}"`, hint);
}
