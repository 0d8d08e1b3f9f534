import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../support/page/browser.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';
import { PageBench, pagePatienceMs, savedBy } from '../../support/page/page.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';

describe.skipIf(chromiumPath === undefined)(
  'batches on the page (skipped where no chromium is on PATH)',
  { timeout: 2 * pagePatienceMs },
  () => {
    let folder: string;
    let modelsDir: string;
    let server: RunningServer;
    let bench: PageBench;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'hearth-page-batches-'));
      modelsDir = await createModelsDir({ tiny: await tinyModel() });
      server = await startServer({
        modelsDirs: [modelsDir],
        config: { demo: false, models: [{ id: 'tiny', threads: 1 }] },
      });
      bench = await PageBench.open(server);
    }, pagePatienceMs);
    afterAll(async () => {
      await bench[Symbol.asyncDispose]();
      await server.stop();
      for (const one of [folder, modelsDir]) rmSync(one, { recursive: true });
    });

    it('are sent as a file, watched and saved', async () => {
      const line = (id: string, content: string) =>
        JSON.stringify({
          custom_id: id,
          method: 'POST',
          url: '/v1/chat/completions',
          body: { model: 'tiny', max_tokens: 2, messages: [{ role: 'user', content }] },
        });
      const file = join(folder, 'two lines.jsonl');
      writeFileSync(file, `${line('a', 'Hi')}\n${line('b', 'Ho')}\n`);
      const page = await bench.visit('batches');
      await page.getByText('There are no batches yet.').waitFor();
      await page.getByLabel('Send a file').setInputFiles(file);
      await page.getByText('two lines.jsonl').waitFor();
      const save = page.getByRole('button', { name: 'Save the answers' });
      await save.waitFor();
      const results = await savedBy(page, () => save.click());
      const ids = results
        .trimEnd()
        .split('\n')
        .map((text) => (JSON.parse(text) as { custom_id: string }).custom_id);
      expect(new Set(ids)).toEqual(new Set(['a', 'b']));
      writeFileSync(file, 'no JSON');
      await page.getByLabel('Send a file').setInputFiles(file);
      await page.getByRole('alert').getByText('Line 1 is not valid JSON').waitFor();
    });
  },
);
