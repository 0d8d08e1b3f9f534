import type { Measure } from '../../limits/types.ts';

const names: Readonly<Record<Measure, string>> = {
  requests: 'requests',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  audioSeconds: 'audio seconds',
};

/** What is counted, for people. */
export function formatMeasure(measure: Measure): string {
  return names[measure];
}
