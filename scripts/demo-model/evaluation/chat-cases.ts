import type { EvaluationCase } from './case.ts';
import { factsCases } from './facts-cases.ts';
import { hearthCases } from './hearth-cases.ts';
import { memoryCases, personaCases } from './person-cases.ts';
import { arithmeticCases, listsCases, spellingCases } from './skill-cases.ts';
import { greetingCases, unknownCases } from './small-talk-cases.ts';

/** The held-out cases of the groups that need neither tools nor thoughts. */
export const chatCases: readonly EvaluationCase[] = [
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
