import { z } from 'zod';
import type { Usage } from '../../engine/generation.ts';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';

const count = z.int().min(0);

const usage = z.strictObject({
  input_tokens: count.meta({ description: 'Of the text.' }),
  output_tokens: count,
  total_tokens: count,
  seconds: z.number().min(0).meta({ description: 'Of sound that the model made, at its own speed.' }),
});

/** The data of an event of streamed speech. */
export const speechEvent = z
  .union([
    z.strictObject({ type: z.literal('speech.audio.delta'), audio: z.base64().min(1) }),
    z.strictObject({ type: z.literal('speech.audio.done'), usage }),
    errorBody,
  ])
  .register(components, { id: 'SpeechEvent' });

export function toSpeechUsage(
  { promptTokens, completionTokens }: Usage,
  audioSeconds: number,
): z.output<typeof usage> {
  return {
    input_tokens: promptTokens,
    output_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    seconds: Number(audioSeconds.toFixed(3)),
  };
}
