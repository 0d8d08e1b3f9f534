/** The end of every test file. The module is loaded for each of them, whereas a worker keeps all others. */
import { afterAll, afterEach } from 'vitest';
import { emptyTestFolder } from './files/test-folder.ts';
import { expectNoProblems } from './openapi/checked-responses.ts';

afterEach(expectNoProblems);
afterAll(expectNoProblems);
afterAll(emptyTestFolder);
