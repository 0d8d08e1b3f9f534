import type { CatalogModel } from '../../catalog/types.ts';
import type { Finding } from './finding.ts';

/** Which models run in processes of their own; nothing where none does. */
export function isolationFindings(
  models: readonly Pick<CatalogModel, 'id' | 'path' | 'settings'>[],
): Finding[] {
  const inFiles = models.filter(({ path }) => path !== undefined);
  const isolated = inFiles.filter(({ settings }) => settings.isolation === 'process');
  if (isolated.length === 0) return [];
  const ids = isolated.map(({ id }) => id).join(', ');
  const finding =
    isolated.length === inFiles.length
      ? 'all models run in processes of their own'
      : `in processes of their own: ${ids}`;
  return [{ subject: 'isolation', ok: true, finding }];
}
