import path from 'node:path';
import type { OpenAI } from 'openai';
import { openClient } from '../../../test/support/server/chat-client.ts';
import { startServer, type RunningServer } from '../../../test/support/server/start-server.ts';
import { calibratePromptWriter, type PromptWriter } from '../server/prompt-writer.ts';
import type { Target } from '../server/target.ts';

export interface BenchServerOptions {
  readonly modelFile: string;
  readonly slots: number;
  /** undefined: the server chooses. */
  readonly threads: number | undefined;
}

export interface BenchServer extends AsyncDisposable {
  readonly server: RunningServer;
  readonly target: Target;
  readonly client: OpenAI;
  /** Writes prompts for the model, which is in memory. */
  readonly writer: PromptWriter;
}

/** A server with one model, as `target` has it. */
export async function startBenchServer({
  modelFile,
  slots,
  threads,
}: BenchServerOptions): Promise<BenchServer> {
  const model = {
    id: 'bench',
    source: path.resolve(modelFile),
    context: 2048,
    parallel: slots,
    ...(threads !== undefined && { threads }),
  };
  const server = await startServer({
    modelsDirs: [],
    config: { demo: false, loadTimeout: '5m', models: [model] },
  });
  const { baseUrl, apiKey, pid } = server;
  const target = { name: 'hearth', baseUrl, model: model.id, apiKey, pid };
  return {
    server,
    target,
    client: openClient(server),
    writer: await calibratePromptWriter(target),
    [Symbol.asyncDispose]: async () => void (await server.stop()),
  };
}

/** Parameters by which an answer is exactly `outputTokens` tokens long. */
export const ofLength = (outputTokens: number) => ({
  max_tokens: outputTokens,
  min_tokens: outputTokens,
  ignore_eos: true,
  temperature: 0,
  seed: 42,
});
