import { namedObject, namedUnion } from '../openapi/json-schema.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { transcriptionSchema } from './schema.ts';
import { z } from 'zod';
import { errorBody } from '../openapi/error-body.ts';

const seconds = z.number().min(0);
const count = z.int().min(0);

const usage = z.strictObject({ type: z.literal('duration'), seconds });

const segmentFields = {
  id: count,
  seek: count.describe('Where the 30 s window begins that it was heard in, in hundredths of a second.'),
  start: seconds,
  end: seconds,
  text: z.string().describe('With the space in front of it.'),
  tokens: z.array(count),
  temperature: z.number().min(0).max(1).describe('The one really used.'),
  avg_logprob: z.number().max(0).describe('Mean log-probability of the tokens of its text.'),
  compression_ratio: z.number().min(0).describe('Of the text of its window; above 2.4 it repeats itself.'),
  no_speech_prob: z.number().min(0).max(1).describe('That its window holds no speech.'),
};

const segment = namedObject('TranscriptionSegment', segmentFields);

const facts = {
  task: z.enum(['transcribe', 'translate']),
  language: z.string().min(2).describe('A code such as `en`, which that of a translation always is.'),
  duration: seconds,
};

export const transcription = namedObject('Transcription', {
  ...facts,
  text: z.string(),
  segments: z.array(segment),
  usage,
});

/** The data of an event of a streamed transcription. */
export const transcriptionEvent = namedUnion('TranscriptionEvent', [
  z.strictObject({ type: z.literal('transcript.text.delta'), delta: z.string().min(1) }),
  z
    .strictObject({ type: z.literal('transcript.text.segment'), ...segmentFields })
    .describe('After the delta of its text, where `response_format` is `verbose_json`.'),
  z.strictObject({ type: z.literal('transcript.text.done'), text: z.string(), usage }),
  z
    .strictObject({ type: z.literal('transcript.text.done'), ...facts, text: z.string(), usage })
    .describe('The end where `response_format` is `verbose_json`.'),
  errorBody,
]);

const ofRecordings = {
  body: { schema: transcriptionSchema, mediaType: 'multipart/form-data' },
  answer: json(transcription, 'The transcript.', transcriptionEvent),
  errors: [...modelErrors, 'unsupported_file', 'invalid_audio', 'audio_too_long'],
} as const;
const events =
  'With `stream: true` it comes as events to clients that send `Accept: text/event-stream` and to the packages of OpenAI: a delta for each segment; with `response_format: verbose_json` also the segments with their times.';

export const transcriptionOperations = operationsOf(['Audio', 'user'], {
  createTranscription: {
    ...ofRecordings,
    route: 'POST /v1/audio/transcriptions',
    summary: 'Write down what is said in a file',
    description: `The answer is one JSON document, whatever \`response_format\` says. ${events}`,
  },
  createTranslation: {
    ...ofRecordings,
    route: 'POST /v1/audio/translations',
    summary: 'Write down in English what is said in a file',
    description: `For a multilingual model. The answer is as that to a transcription. ${events}`,
  },
});
