import { ownTemplates } from './templates.ts';
import { tinyModel } from './tiny-model.ts';

/** The tiny model with a template that takes tools and thinks when told to; to go with `useChatServer`. */
export const toolModel = 'hermes';

/** Random weights behind a template that knows no tools, and behind one that does. */
export const toolModelIds: readonly string[] = ['tiny', toolModel];

export const withToolModel = {
  models: async () => ({ [toolModel]: await tinyModel({ chatTemplate: ownTemplates.hermes }) }),
};
