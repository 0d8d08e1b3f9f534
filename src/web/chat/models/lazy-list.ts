import { lazyPart } from '../../ui/rendering/lazy-part.tsx';

/** The list of models, which is loaded where it is opened first. */
export const ModelList = lazyPart(async () => (await import('./model-list.tsx')).ModelList);
