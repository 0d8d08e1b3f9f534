/**
 * Evaluates a model that comes with hearth on questions that its training did not show it; `records` asks those that it
 * did show.
 *
 *   npm run demo:eval -- [text | first | records | sight | ears | voice] [options]
 *
 * Without a word text is meant; `npm run demo:eval -- sight --help` tells the options of that evaluation.
 */
const evaluations = {
  text: './text/evaluation/evaluate.ts',
  first: './text/evaluation/evaluate-first-things.ts',
  records: './text/evaluation/evaluate-records.ts',
  sight: './sight/evaluate.ts',
  ears: './ears/evaluate.ts',
  voice: './voice/evaluation/evaluate.ts',
} as const;

const asked = process.argv[2] ?? '';
const isNamed = Object.hasOwn(evaluations, asked);
// The evaluation reads its options from there.
if (isNamed) process.argv.splice(2, 1);
await import(evaluations[isNamed ? (asked as keyof typeof evaluations) : 'text']);
