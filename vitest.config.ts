import { defineConfig } from 'vitest/config';

/** Where the counts go as JSON beside the readable report; .ci/run asks for it. */
const jsonReportPath = process.env['HEARTH_TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters:
      jsonReportPath === undefined ? ['default'] : ['default', ['json', { outputFile: jsonReportPath }]],
    // The tests share the machine with real servers that compute: more workers would only slow each other down.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
