import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll } from 'vitest';
import { atEnd } from '../at-end.ts';
import { openChatModelsDir } from '../models/chat-models.ts';
import { tinyModel } from '../models/tiny-model.ts';
import { completeChat } from '../server/chat-client.ts';
import { startChatServer } from '../server/chat-fixture.ts';
import type { RunningServer } from '../server/start-server.ts';
import {
  beginStream,
  endStream,
  startHostileUpstream,
  writeChunk,
  type UpstreamRequest,
} from '../upstream/hostile-upstream.ts';

/** A server for pages that chat. */
export interface PageServer {
  readonly server: RunningServer;
  /** The titles that the model `namer` was asked for. */
  titlesAsked(): readonly UpstreamRequest[];
  /** `namer` writes titles once this resolves. */
  mayName: Promise<void>;
  /** While this file is there the tool `get_weather` of the server `toy` does not answer. */
  readonly holdFile: string;
}

const tools = fileURLToPath(new URL('../fakes/programs/mcp-server.mjs', import.meta.url));

let shared: Promise<PageServer> | undefined;

/**
 * The server that files of tests of the page share in a worker, with the chat models, `endless`, whose answers end by
 * their limit only, `namer`, which another server runs, and a server of tools. Its models are loaded, since these tests
 * are about the page, not about loading on a busy machine. Tests do not change the server.
 */
export function usePageServer(): () => PageServer {
  let started: PageServer | undefined;
  // The first of these waits for the models as well.
  beforeAll(async () => {
    started = await (shared ??= startPageServer());
  }, 180_000);
  return () => {
    if (started === undefined) throw new Error('the server is there only while tests run');
    return started;
  };
}

async function startPageServer(): Promise<PageServer> {
  const isTitle = ({ body }: UpstreamRequest) => JSON.stringify(body).includes('Write a title');
  const elsewhere = await startHostileUpstream({
    namer: async (response, request) => {
      if (isTitle(request)) await page.mayName;
      beginStream(response);
      writeChunk(response, {
        content: isTitle(request) ? '"Herons and their legs."' : 'Herons have long legs.',
      });
      endStream(response, { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 });
    },
  });
  const endless = await tinyModel({ contextTokens: 16_384, endOfTurnGain: 0, layers: 6 });
  const modelsDir = await openChatModelsDir({ endless });
  atEnd(() => rmSync(modelsDir.path, { recursive: true, force: true }));
  const namer = { upstream: { url: elsewhere.url }, kind: 'chat' };
  const folder = mkdtempSync(join(tmpdir(), 'hearth-hold-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const holdFile = join(folder, 'hold');
  const toy = { command: process.execPath, args: [tools, `--hold=${holdFile}`], tools: ['get_weather'] };
  const box = { command: process.execPath, args: [tools], tools: ['echo', 'fail'] };
  const { server, client } = await startChatServer(modelsDir, { settings: { namer }, mcp: { toy, box } });
  for (const model of ['hearth-demo', 'tiny', 'endless'])
    await completeChat(client, model, 'Hello', { max_tokens: 2 });
  const page = {
    server,
    titlesAsked: () => elsewhere.requestsFor('namer').filter(isTitle),
    mayName: Promise.resolve(),
    holdFile,
  };
  return page;
}
