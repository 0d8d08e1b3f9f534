import type { EvaluationCase } from '../case.ts';
import { factsCases, greetingCases, hearthCases, unknownCases } from './chat-cases.ts';
import { memoryCases, personaCases } from './person-cases.ts';
import { arithmeticCases, listsCases, spellingCases } from './skill-cases.ts';
import { jsonCases, thinkingCases } from './task-cases.ts';
import { noToolFitsCases, toolResultsCases, toolsCases } from './tool-cases.ts';

/** Cases by somebody who had not read the corpus: of the groups that need neither tools nor thoughts … */
export const blindChatCases: readonly EvaluationCase[] = [
  ...greetingCases,
  ...hearthCases,
  ...factsCases,
  ...unknownCases,
  ...arithmeticCases,
  ...spellingCases,
  ...listsCases,
  ...personaCases,
  ...memoryCases,
];

/** … and of those about tools, thinking and JSON. */
export const blindTaskCases: readonly EvaluationCase[] = [
  ...toolsCases,
  ...toolResultsCases,
  ...noToolFitsCases,
  ...thinkingCases,
  ...jsonCases,
];
