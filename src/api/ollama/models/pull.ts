import { z } from 'zod';
import { withHf } from '../../../catalog/pulls/model-source.ts';
import { findPull, pullWhole, streamPull, type PullWriter } from '../../admin/models/pull.ts';
import type { AppDeps, AppContext } from '../../env.ts';
import { namedParameters } from '../../openapi/json-schema.ts';
import { readBody } from '../../request/read-parameters.ts';
import { nameIn, linesType, ollamaDialect, toLine } from '../dialect.ts';

const source = z.string().min(1).max(2048);

export const pullSchema = namedParameters('OllamaPull', {
  model: source.optional().describe('`hf.co/Owner/Repository:QUANT`, or what the admin API takes.'),
  name: source.optional(),
  stream: z.boolean().optional().meta({ default: true }),
});

const lines: PullWriter = {
  contentType: linesType,
  progress: ({ fileName, receivedBytes, totalBytes, note }) =>
    toLine({
      status: note ?? `pulling ${fileName}`,
      completed: receivedBytes,
      ...(totalBytes !== undefined && { total: totalBytes }),
    }),
  pulled: () => toLine({ status: 'success' }),
  failed: (error) => toLine(ollamaDialect.toErrorBody(error, '')),
};

/** POST /api/pull: downloads a model; for admin keys, as it fills the disk of the server. */
export async function pull(c: AppContext, deps: AppDeps): Promise<Response> {
  const { stream = true, ...asked } = readBody(c, pullSchema);
  const model = toSource(nameIn(asked));
  const request = { model, target: findPull(deps.administration.pulls, model) };
  if (stream) return streamPull(c, deps, request, lines);
  await pullWhole(c, deps, request);
  return c.json({ status: 'success' });
}

/** Hearth's name for the source that Ollama calls `name`. */
const toSource = (name: string): string => withHf(name).replace(/:latest$/, '');
