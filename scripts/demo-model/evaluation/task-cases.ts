import type { EvaluationCase } from './case.ts';
import { jsonCases } from './json-cases.ts';
import { noToolFitsCases } from './no-tool-fits-cases.ts';
import { thinkingCases } from './thinking-cases.ts';
import { toolResultsCases } from './tool-results-cases.ts';
import { toolsCases } from './tools-cases.ts';

/** The held-out cases of the groups about tools, thinking and JSON. */
export const taskCases: readonly EvaluationCase[] = [
  ...toolsCases,
  ...toolResultsCases,
  ...noToolFitsCases,
  ...thinkingCases,
  ...jsonCases,
];
