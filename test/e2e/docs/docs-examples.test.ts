import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { canTranscribe } from '../../support/models/demo-speech.ts';
import { examplesOf, outputPattern, readDocsPages } from '../../support/page/docs-pages.ts';
import { canRunExamples, DocsWorkspace } from '../../support/page/docs-workspace.ts';
import { startServer, type ServerConfig } from '../../support/server/start-server.ts';

// The examples of the README and of docs, each run as it stands there against one server.

const pages = readDocsPages().filter((page) => examplesOf(page).length > 0);
const patienceMs = 120_000;

describe.skipIf(!canRunExamples)('the examples (skipped without bash, curl and npm)', () => {
  const stack = new AsyncDisposableStack();
  let workspace: DocsWorkspace;

  beforeAll(async () => {
    // The file that the page on settings shows first.
    const shown = pages.flatMap(({ blocks }) => blocks).find(({ mark }) => mark === 'hearth.yaml');
    const config = parse(shown?.text ?? '') as ServerConfig;
    // The recipes are done on one server after the other has been set up, so theirs has all their plans.
    const recipes = pages.find(({ path }) => path === 'docs/people.md')?.blocks ?? [];
    const settings = recipes.filter(({ mark }) => mark === 'settings');
    const plans = Object.assign(
      {},
      config.plans,
      ...settings.map(({ text }) => (parse(text) as ServerConfig).plans),
    );
    const server = await startServer({ modelsDirs: [], config: { ...config, plans } });
    stack.defer(async () => void (await server.stop()));
    workspace = stack.use(await DocsWorkspace.open(server));
  });
  afterAll(() => stack.disposeAsync());

  describe.each(pages.map((page) => ({ path: page.path, page })))('in $path', ({ path, page }) => {
    const examples = examplesOf(page).map((example, index) => ({ number: index + 1, ...example }));
    const canRun = path !== 'docs/speech.md' || canTranscribe;
    it.runIf(canRun).for(examples)(
      'number $number does what the page says',
      { timeout: patienceMs },
      async ({ block, output }) => {
        await workspace.writeFiles(page);
        const printed = await workspace.run(block);
        if (output === undefined) expect(printed).not.toBe('');
        else expect(printed).toMatch(outputPattern(output));
      },
    );
  });
});
