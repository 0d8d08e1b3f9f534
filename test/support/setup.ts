/** The beginning and the end of every test file. The module is loaded for each of them, whereas a worker keeps all others. */
import { afterAll, afterEach, inject } from 'vitest';
import { emptyTestFolder } from './files/test-folder.ts';
import { expectNoProblems } from './openapi/checked-responses.ts';

afterEach(expectNoProblems);
afterAll(expectNoProblems);
afterAll(emptyTestFolder);

// Servers and commands that tests start; undefined: their sources run.
const compiledProgram = inject('compiledProgram');
if (compiledProgram !== undefined) process.env['NODE_OPTIONS'] = `--import ${compiledProgram}`;
