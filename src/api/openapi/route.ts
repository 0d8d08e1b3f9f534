import type { Handler } from 'hono';
import type { AppEnv } from '../env.ts';
import { respondUnlessKnown, toStaticFile } from '../static-file.ts';
import type { StaticFile } from '../static-file.ts';
import { buildDocument } from './document.ts';
import { operations } from './operations.ts';

/** GET /openapi.json: made when it is asked for first, the same for everybody. */
export function openApiDocument(): Handler<AppEnv> {
  let file: StaticFile | undefined;
  return (c) => {
    file ??= toStaticFile(JSON.stringify(buildDocument(operations)), 'application/json');
    return respondUnlessKnown(c, file);
  };
}
