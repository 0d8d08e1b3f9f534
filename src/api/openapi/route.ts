import type { Handler } from 'hono';
import type { CatalogModel } from '../../catalog/types.ts';
import { modelKindNames, modelKinds } from '../../model-kinds.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { findPrincipal } from '../middleware/authenticate.ts';
import type { LocalTest } from '../middleware/local-request.ts';
import { respondUnlessKnown, toStaticFile } from '../docs/static-file.ts';
import { buildDocument } from './document.ts';
import { operations } from './operations.ts';

type DocumentDeps = Pick<AppDeps, 'authenticator' | 'catalog'>;

/** GET /openapi.json: the document, for everyone. Its examples name models only for clients that may list them. */
export function openApiDocument(deps: DocumentDeps, isLocal: LocalTest): Handler<AppEnv> {
  /** Built on the first request. */
  let text: string | undefined;
  return (c) => {
    c.header('vary', 'Authorization', { append: true });
    text ??= JSON.stringify(buildDocument(operations));
    const models = modelsFor(c, deps, isLocal);
    const withModels = modelKindNames.reduce((document, kind) => {
      const { placeholder } = modelKinds[kind];
      const ofKind = models.filter((one) => one.kind === kind);
      // Another server may be away.
      const model = ofKind.find(({ path }) => path !== undefined) ?? ofKind[0];
      return document.replaceAll(JSON.stringify(placeholder), JSON.stringify(model?.id ?? placeholder));
    }, text);
    return respondUnlessKnown(c, toStaticFile(withModels, 'application/json'));
  };
}

function modelsFor(
  c: AppContext,
  { authenticator, catalog }: DocumentDeps,
  isLocal: LocalTest,
): readonly CatalogModel[] {
  const principal = findPrincipal(c, authenticator);
  if (principal === undefined) return isLocal(c) ? catalog.list() : [];
  const { allowedModels } = principal;
  return catalog.list().filter(({ id }) => allowedModels === null || allowedModels.includes(id));
}
