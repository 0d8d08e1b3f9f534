import { fileURLToPath } from 'node:url';
import { readGgufFileInfo } from 'node-llama-cpp';
import type OpenAI from 'openai';
import { beforeAll } from 'vitest';
import type { TokenizerFile } from '../../../scripts/demo/text/tokenizer.ts';
import type { Merge } from '../../../scripts/make/tiny-model/vocabulary/byte-pair-encoding.ts';
import { openClient } from './chat-client.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './start-server.ts';

export const demoModel = 'hearth-demo';
export const demoThinker = 'hearth-demo-r';
export const demoEars = 'hearth-demo-ears';
export const demoVoice = 'hearth-demo-voice';

const demoFile = fileURLToPath(new URL('../../../models/hearth-demo.gguf', import.meta.url));

/** Path of the speech model that hearth brings. */
export const demoEarsFile = fileURLToPath(new URL('../../../models/hearth-demo-ears.bin', import.meta.url));

let shared: Promise<RunningServer> | undefined;

/**
 * A server as `npm start` runs it, with nothing configured: it serves the demo models that hearth brings. All files of
 * this worker share it.
 */
export function useDemoServer(): () => { readonly server: RunningServer; readonly client: OpenAI } {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await (shared ??= startServer({ modelsDirs: [] }));
  });
  return () => {
    if (server === undefined) throw new Error('the server is there only while tests run');
    return { server, client: openClient(server) };
  };
}

/** The tokenizer in the demo model's file. */
export async function readDemoTokenizer(): Promise<TokenizerFile> {
  const { metadata } = await readGgufFileInfo(demoFile, { logWarnings: false });
  const { tokens, merges } = metadata.tokenizer.ggml as unknown as { tokens: string[]; merges: string[] };
  return { tokens, merges: merges.map((merge) => merge.split(' ') as unknown as Merge) };
}
