import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where the counts go as JSON beside the readable report; .ci/run asks for it. */
const jsonReportPath = process.env['HEARTH_TEST_REPORT'];

/** The tests of the whole program and of what does harm come first, which take long: no worker is left alone with one. */
class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/e2e\/|\/hostile-/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters:
      jsonReportPath === undefined ? ['default'] : ['default', ['json', { outputFile: jsonReportPath }]],
    // The tests share the machine with real servers that compute: more workers would only slow each other down.
    maxWorkers: 2,
    // A worker keeps modules from file to file: loading them anew for each of 370 took a fifth of the time.
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
    // A whole run starts the program some hundred times.
    globalSetup: process.env['CI'] === undefined ? [] : ['test/support/program/compile-program.ts'],
    setupFiles: ['test/support/setup.ts'],
    // The default of a second is too short for a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
