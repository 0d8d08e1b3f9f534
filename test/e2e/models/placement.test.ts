import { expect, it } from 'vitest';
import { openClient } from '../../support/server/chat-client.ts';
import { startServer } from '../../support/server/start-server.ts';
import { hasStepper } from '../../support/engine/draw-tokens.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

it.runIf(hasStepper).each(['none', 'process'] as const)(
  'tells where a model will run, and does run, with isolation %s',
  async (isolation) => {
    const source = await tinyModel({ layers: 3 });
    const withHead = await tinyModel({ layers: 3, architecture: 'qwen35', draftHead: 'random' });
    const server = await startServer({
      modelsDirs: [],
      config: {
        demo: false,
        models: [
          { id: 'm', source, gpuLayers: 0, isolation },
          { id: 'head', source: withHead, gpuLayers: 0, isolation },
        ],
      },
    });
    try {
      const client = openClient(server);
      const told = async (id: string) =>
        ((await client.models.retrieve(id)) as unknown as { runs_on: object }).runs_on;
      const onProcessor = {
        gpus: [],
        layers: 4,
        gpu_layers: 0,
        expert_layers: 0,
        ram_bytes: expect.any(Number),
      };
      const here = { ...onProcessor, draft_heads: false };
      await expect
        .poll(() => told('head'), { timeout: 20_000 })
        .toEqual({ ...onProcessor, draft_heads: true });
      await expect.poll(() => told('m'), { timeout: 20_000 }).toEqual(here);
      const before = await told('m');
      await client.completions.create({ model: 'm', prompt: 'a', max_tokens: 2 });
      expect(await told('m')).toEqual(before);
    } finally {
      await server.stop();
    }
  },
);
