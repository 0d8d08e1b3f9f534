import type OpenAI from 'openai';
import { afterAll, beforeAll } from 'vitest';
import { openClient } from './chat-client.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './start-server.ts';

export const demoModel = 'hearth-demo';
export const demoThinker = 'hearth-demo-r';

/** A server as `npm start` runs it, with nothing configured: it serves the demo model that hearth brings. */
export function useDemoServer(): () => { readonly server: RunningServer; readonly client: OpenAI } {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await startServer({ modelsDirs: [] });
  });
  afterAll(async () => {
    await server?.stop();
  });
  return () => {
    if (server === undefined) throw new Error('the server is there only while tests run');
    return { server, client: openClient(server) };
  };
}
