import { z } from 'zod';
import { errorBody } from '../openapi/error-body.ts';
import { components } from '../openapi/json-schema.ts';

const seconds = z.number().min(0);
const count = z.int().min(0);

const usage = z.strictObject({ type: z.literal('duration'), seconds });

const segmentFields = {
  id: count,
  seek: count.meta({
    description: 'Where the 30 s window begins that it was heard in, in hundredths of a second.',
  }),
  start: seconds,
  end: seconds,
  text: z.string().meta({ description: 'With the space in front of it.' }),
  tokens: z.array(count),
  temperature: z.number().min(0).max(1).meta({ description: 'The one really used.' }),
  avg_logprob: z.number().max(0).meta({ description: 'Mean log-probability of the tokens of its text.' }),
  compression_ratio: z
    .number()
    .min(0)
    .meta({ description: 'Of the text of its window; above 2.4 it repeats itself.' }),
  no_speech_prob: z.number().min(0).max(1).meta({ description: 'That its window holds no speech.' }),
};

const segment = z.strictObject(segmentFields).register(components, { id: 'TranscriptionSegment' });

const facts = {
  task: z.enum(['transcribe', 'translate']),
  language: z
    .string()
    .min(2)
    .meta({ description: 'A code such as `en`, which that of a translation always is.' }),
  duration: seconds,
};

export const transcription = z
  .strictObject({ ...facts, text: z.string(), segments: z.array(segment), usage })
  .register(components, { id: 'Transcription' });

/** The data of an event of a streamed transcription. */
export const transcriptionEvent = z
  .union([
    z.strictObject({ type: z.literal('transcript.text.delta'), delta: z.string().min(1) }),
    z
      .strictObject({ type: z.literal('transcript.text.segment'), ...segmentFields })
      .meta({ description: 'After the delta of its text, where `response_format` is `verbose_json`.' }),
    z.strictObject({ type: z.literal('transcript.text.done'), text: z.string(), usage }),
    z
      .strictObject({ type: z.literal('transcript.text.done'), ...facts, text: z.string(), usage })
      .meta({ description: 'The end where `response_format` is `verbose_json`.' }),
    errorBody,
  ])
  .register(components, { id: 'TranscriptionEvent' });
