import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { startServer } from '../../../../test/support/server/start-server.ts';

/**
 * Lets `evaluate` ask a hearth of its own, which has nothing but `models`: paths by the names that the files get there.
 * Rejects where a file is missing, in whose place the server would answer with the demo that it brings.
 */
export async function withOwnServer(
  models: Readonly<Record<string, string>>,
  evaluate: (client: OpenAI) => Promise<void>,
): Promise<void> {
  const files = await Promise.all(
    Object.entries(models).map(async ([name, path]) => [name, await realpath(path)] as const),
  );
  const folder = await mkdtemp(join(tmpdir(), 'hearth-evaluation-'));
  for (const [name, file] of files) await symlink(file, join(folder, name));
  const apiKey = 'hk-evaluation-of-the-demo-models';
  const server = await startServer({ modelsDirs: [folder], apiKey });
  try {
    await evaluate(new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 }));
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
