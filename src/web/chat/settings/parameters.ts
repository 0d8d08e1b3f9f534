/** How tokens are drawn, as the API has it: each parameter with its range and default. */
export interface NumberParameter {
  readonly name: NumberName;
  /** In a request. */
  readonly wire: string;
  readonly min: number;
  readonly max?: number;
  readonly step: number;
  /** undefined: the server draws it, or there is no bound. */
  readonly byDefault?: number;
  readonly isWhole?: boolean;
  /** Whether 0 itself is out of the range. */
  readonly isAboveMin?: boolean;
}

const share = { min: 0, max: 1, step: 0.05 };

const table = [
  { name: 'temperature', wire: 'temperature', min: 0, max: 2, step: 0.1, byDefault: 1 },
  { name: 'maxTokens', wire: 'max_completion_tokens', min: 1, step: 1, isWhole: true },
  { name: 'topP', wire: 'top_p', ...share, byDefault: 0.95 },
  { name: 'topK', wire: 'top_k', min: 0, step: 1, byDefault: 40, isWhole: true },
  { name: 'minP', wire: 'min_p', ...share, byDefault: 0.05 },
  { name: 'seed', wire: 'seed', min: 0, max: 2 ** 32 - 1, step: 1, isWhole: true },
  { name: 'frequencyPenalty', wire: 'frequency_penalty', min: -2, max: 2, step: 0.1, byDefault: 0 },
  { name: 'presencePenalty', wire: 'presence_penalty', min: -2, max: 2, step: 0.1, byDefault: 0 },
  {
    name: 'repeatPenalty',
    wire: 'repeat_penalty',
    min: 0,
    max: 10,
    step: 0.05,
    byDefault: 1,
    isAboveMin: true,
  },
  { name: 'xtcProbability', wire: 'xtc_probability', ...share, byDefault: 0 },
  { name: 'xtcThreshold', wire: 'xtc_threshold', ...share, byDefault: 0.1 },
] as const;

export type NumberName = (typeof table)[number]['name'];

export const numberParameters: readonly NumberParameter[] = table;

/** The demo knows too little to draw its words by chance. */
export const demoTemperature = 0;

/** Whether `value` can be sent as `parameter`. */
export function isInRange({ min, max, isWhole, isAboveMin }: NumberParameter, value: number): boolean {
  if (!Number.isFinite(value) || value < min || (max !== undefined && value > max)) return false;
  return (isWhole !== true || Number.isInteger(value)) && (isAboveMin !== true || value > min);
}
