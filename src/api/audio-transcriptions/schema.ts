import { z } from 'zod';
import { namedParameters, namedObject, namedUnion } from '../openapi/json-schema.ts';
import { audioExtensions } from '../../engine/audio/audio-file.ts';
import { toTranscriptionLanguage } from '../../engine/speech/transcription-languages.ts';
import { modelKinds } from '../../model-kinds.ts';
import type { JsonObject } from '../env.ts';
import { filePart } from '../upload/uploaded-file.ts';
import { modelName } from '../parameters/generation-parameters.ts';
import { refuse } from '../parameters/schema-parts.ts';
import { createParameterParser, type ParsedParameters } from '../request/validate.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { errorBody } from '../openapi/error-body.ts';

const file = filePart(`Its name ends in ${audioExtensions.map((extension) => `.${extension}`).join(', ')}.`);

/** A number as text, since all fields of forms are texts. */
const temperature = z
  .string()
  .meta({ examples: ['0'] })
  .transform((text, context): number => {
    const value = /^(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (value >= 0 && value <= 1) return value;
    return refuse(context, 'must be a number from 0 to 1');
  })
  .meta({ type: 'number', minimum: 0, maximum: 1 });

const language = z
  .string()
  .meta({ examples: ['en'] })
  .transform((name, context): string => {
    const code = toTranscriptionLanguage(name);
    if (code !== undefined) return code;
    return refuse(context, 'must be a code such as en or de, or auto');
  })
  .describe(
    'What is spoken: an ISO 639-1 code, or `auto`, heard from the audio. Default: `en`; of translations `auto`.',
  );

/** A field that the page of the API leaves empty in its form. */
const emptyInForms = { examples: [''] };

/** Every parameter that the endpoint knows, including those that it ignores. */
export const transcriptionSchema = namedParameters('CreateTranscription', {
  file,
  model: modelName.meta({ examples: [modelKinds.speech.placeholder] }),
  prompt: z
    .string()
    .optional()
    .describe('Words that may be said, or what was said before.')
    .meta(emptyInForms),
  temperature: temperature
    .optional()
    .describe('At which the text is drawn; higher ones are tried where it makes no sense.'),
  language: language.optional(),

  // Accepted for compatibility: the answer is one JSON document with segments, or with `stream` events, for who reads them.
  response_format: z
    .unknown()
    .optional()
    .describe('The answer is JSON with segments, whatever is asked for.')
    .meta(emptyInForms),
  stream: z.unknown().optional().meta(emptyInForms),
  include: z.unknown().optional().meta(emptyInForms),
  timestamp_granularities: z.unknown().optional().meta(emptyInForms),
  chunking_strategy: z.unknown().optional().meta(emptyInForms),
});

export type TranscriptionParameters = z.output<typeof transcriptionSchema>;

const parse = createParameterParser(transcriptionSchema);

/** The checked fields of a form; those without effect count as ignored, `stream` unless events are taken. */
export function parseTranscription(
  form: JsonObject,
  takesEvents: boolean,
): ParsedParameters<TranscriptionParameters> {
  const { parameters, ignored } = parse(form);
  const { stream, ...others } = parameters;
  const streams = takesEvents && stream === 'true';
  return { parameters, ignored: [...ignored, ...withoutEffect(streams ? others : parameters)] };
}

/** Whether a stream is to tell segments with their times, as the document always does. */
export function asksForSegments({
  response_format: format,
  timestamp_granularities: granularities,
}: TranscriptionParameters): boolean {
  return format === 'verbose_json' || [granularities].flat().includes('segment');
}

/** Values of the parameters without effect that ask for the answer as it is anyway. */
const harmless: Readonly<Partial<Record<keyof TranscriptionParameters, readonly string[]>>> = {
  response_format: ['json', 'verbose_json'],
  stream: ['false'],
  include: [],
  timestamp_granularities: ['segment'],
  chunking_strategy: ['auto'],
};

/** The names of the parameters that ask for something else. */
function withoutEffect(parameters: Omit<TranscriptionParameters, 'stream'>): string[] {
  return Object.entries(harmless).flatMap(([name, values]) => {
    const value = parameters[name as keyof typeof parameters];
    const wishes = value === undefined ? [] : [value].flat();
    return wishes.every((wish) => values.some((harmlessValue) => harmlessValue === wish)) ? [] : [name];
  });
}

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
