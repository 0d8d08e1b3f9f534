import { ownTemplates } from './templates.ts';
import { tinyModel } from './tiny-model.ts';

/** The tiny model with a template that takes tools and thinks when told to; `useSharedServer` has it. */
export const toolModel = 'hermes';

/** Random weights behind a template that knows no tools, and behind one that does. */
export const toolModelIds: readonly string[] = ['tiny', toolModel];

/** Its file, by its id. */
export const openToolModel = async (): Promise<Readonly<Record<string, string>>> => ({
  [toolModel]: await tinyModel({ chatTemplate: ownTemplates.hermes }),
});
