import { z } from 'zod';
import { findNameClash } from '../../catalog/model-entry.ts';
import { modelIdPattern, modelIdRule, withHf } from '../../catalog/pulls/model-source.ts';
import { parseDurationMs } from '../values/duration.ts';
import { cacheTypes, isolations } from '../../engine/model-backend.ts';
import { modelKindNames } from '../../model-kinds.ts';
import { mcpSchema } from './mcp-entry.ts';
import { oidcSchema } from './oidc-entry.ts';
import { namesSecret } from './other-names.ts';
import { requestDefaultShape } from './request-defaults.ts';
import { upstreamSchema } from './upstream-entry.ts';
import { voicesSchema } from './voice-entry.ts';
import { budgetMeasures, greatestUnits } from '../../accounts/budgets/budget.ts';
import { budgetPeriods } from '../../accounts/budgets/calendar.ts';
import { greatestLimit, measures, trialPlanName, windows } from '../../accounts/plans.ts';
import { eachOf } from '../values/each-of.ts';
import { mostContextTokens, mostGpuLayers, mostTrialDays } from '../../bounds.ts';
import { webhookProblem } from '../../notices/webhook.ts';
import { secretSource } from '../values/secret-source.ts';
import { parseSizeBytes } from '../values/size.ts';
import { messageOf } from '../../words/describe-error.ts';

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A scalar that `parse` understands; its RangeError becomes the issue's message. */
function parsed(parse: (value: string | number) => number) {
  return z
    .union([z.string(), z.number()], { error: 'expected one value, such as 30s or 4MiB' })
    .transform((value, context) => {
      try {
        return parse(value);
      } catch (error) {
        context.addIssue({ code: 'custom', message: messageOf(error) });
        return z.NEVER;
      }
    });
}

const durationOrNever = parsed(parseDurationMs);
/** A duration that a timer can wait for: setTimeout ends at once where it is longer. */
const duration = durationOrNever
  .refine(Number.isFinite, {
    error: 'must end some time: -1, which means never, is not allowed here',
    abort: true,
  })
  .refine((ms) => ms < 2 ** 31, { error: 'must be 24 days or less' });
const size = parsed(parseSizeBytes);
const flag = z.boolean({ error: 'write true or false' });
const count = z.int().min(1);
const text = z.string().min(1);
const isolation = z.enum(isolations, { error: 'must be process or none' });

const limit = z.int().min(1, { error: 'must be 1 or more; leave it out for no limit' }).max(greatestLimit);
const limits = eachOf(measures, eachOf(windows, limit).partial()).partial();

/** Of the operator's units, of which millionths are counted. */
const units = (most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .refine((amount) => Number(amount.toFixed(6)) === amount, { error: 'must have at most 6 decimals' });
const unitLimit = units(greatestUnits).refine((amount) => amount > 0, { error: 'must be more than 0' });
const account = eachOf(budgetMeasures, eachOf(budgetPeriods, limit).partial())
  .extend({ units: eachOf(budgetPeriods, unitLimit).partial() })
  .partial();

const price = units(1e6);
const prices = z.record(text, eachOf([...measures, 'cachedTokens'], price).partial());

const plan = z.strictObject({
  days: count.max(mostTrialDays).optional(),
  limits,
  account: account.optional(),
  batch: z.strictObject({ factor: z.number().min(0).max(1) }).optional(),
  models: z.record(text, z.strictObject({ limits })).optional(),
});

const plans = z.record(text, plan).superRefine((entries, context) => {
  for (const [name, entry] of Object.entries(entries)) {
    if (entry.days === undefined || name === trialPlanName) continue;
    context.addIssue({ code: 'custom', path: [name, 'days'], message: 'only the plan trial has an end' });
  }
});

export const modelShape = {
  id: z.string().regex(modelIdPattern, { error: modelIdRule }),
  source: text.optional(),
  projector: text
    .refine((source) => !/^https?:/i.test(source), { error: 'must be a file or hf:Owner/Repo:FILE' })
    .optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hexadecimal digits' })
    .optional(),
  ownedBy: text.optional(),
  aliases: z.array(text).optional(),
  context: count.max(mostContextTokens).optional(),
  parallel: count.max(256).optional(),
  reserve: flag.optional(),
  threads: z.union([z.literal('auto'), count.max(1024)], { error: 'must be auto or a number' }).optional(),
  gpuLayers: z
    .union([z.literal('auto'), z.int().min(0).max(mostGpuLayers)], { error: 'must be auto or a number' })
    .optional(),
  cacheType: z.enum(cacheTypes, { error: `must be ${cacheTypes.join(', ')}` }).optional(),
  flashAttention: z.union([z.literal('auto'), flag], { error: 'must be auto, true or false' }).optional(),
  lora: z
    .array(
      z.union([text, z.strictObject({ path: text, scale: z.number().min(-100).max(100).default(1) })], {
        error: 'must be the path of an adapter, or { path, scale }',
      }),
    )
    .min(1)
    .max(16)
    .optional(),
  cacheFile: flag.optional(),
  drafts: z.enum(['all', 'prediction', 'none'], { error: 'must be all, prediction or none' }).optional(),
  dimensions: flag.optional(),
  reasoning: z.union([z.literal('auto'), z.boolean()], { error: 'must be auto, true or false' }).optional(),
  keepAlive: durationOrNever.optional(),
  preload: flag.optional(),
  voiceActivity: text.optional(),
  isolation: isolation.optional(),
  upstream: upstreamSchema(duration).optional(),
  kind: z.enum(modelKindNames).optional(),
  images: flag.optional(),
  ...requestDefaultShape,
  // Fields of the operator's own, which GET /v1/models shows.
  info: z
    .record(text, z.json())
    .refine((info) => !namesSecret(info), {
      error: 'is shown by GET /v1/models to every key, so no secret may stand in it',
    })
    .optional(),
};

const webhook = z
  .strictObject({ url: text, secret: secretSource, local: flag.default(false) })
  .superRefine(({ url, local }, context) => {
    const problem = webhookProblem(url, local);
    if (problem === undefined) return;
    const remedy = webhookProblem(url, true) === undefined ? ', unless local is true' : '';
    context.addIssue({ code: 'custom', path: ['url'], message: problem + remedy });
  });

/** Keys that name the abilities of a model elsewhere; a file shows its own. */
const upstreamKeys = ['kind', 'images'] as const;

/** Keys that are about files, or that models elsewhere have below `upstream`. */
const fileKeys = [
  'source',
  'projector',
  'sha256',
  'parallel',
  'reserve',
  'threads',
  'gpuLayers',
  'cacheType',
  'flashAttention',
  'lora',
  'cacheFile',
  'drafts',
  'dimensions',
  'keepAlive',
  'preload',
  'voiceActivity',
  'isolation',
] as const;

const model = z.strictObject(modelShape).superRefine((entry, context) => {
  const { cacheType = 'f16', flashAttention } = entry;
  if (cacheType !== 'f16' && flashAttention === false) {
    const message = `must not be false with the cacheType ${cacheType}, whose values only flash attention reads`;
    context.addIssue({ code: 'custom', path: ['flashAttention'], message });
  }
  const isElsewhere = entry.upstream !== undefined;
  for (const key of isElsewhere ? fileKeys : upstreamKeys) {
    if (entry[key] === undefined) continue;
    const message = isElsewhere ? 'does not go with upstream' : 'is for models with upstream';
    context.addIssue({ code: 'custom', path: [key], message });
  }
  const source = entry.source && withHf(entry.source);
  if (source === undefined || !/^[a-z][a-z+.-]+:\/\//i.test(source)) return;
  if (!/^https:\/\//i.test(source)) {
    context.addIssue({ code: 'custom', path: ['source'], message: 'only https URLs are downloaded' });
  } else if (entry.sha256 === undefined) {
    context.addIssue({ code: 'custom', path: ['source'], message: 'a URL needs its sha256 beside it' });
  }
});

const models = z.array(model).superRefine((entries, context) => {
  const clash = findNameClash(entries);
  if (clash === undefined) return;
  const message = `"${clash.name}" is already taken above`;
  context.addIssue({ code: 'custom', path: [clash.index], message });
});

export const defaultReasoningTokens = { low: 512, medium: 2_048, high: 8_192 };

/** The whole file, with the names that people write. loadConfig adds units and defaults. */
export const fileSchema = z
  .strictObject({
    host: text,
    port: z.int().min(0).max(65_535),
    tls: z.union([z.literal('self-signed'), z.strictObject({ cert: text, key: text })], {
      error: 'must be self-signed, or the files cert and key',
    }),
    dataDir: text,
    modelsDir: z.union([text, z.array(text)], { error: 'must be a folder or a list of folders' }),
    logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    demo: flag,
    models,
    mcp: mcpSchema(duration, size),
    plans,
    prices,
    oidc: oidcSchema,
    shutdownGrace: duration,
    loadTimeout: duration,
    corsOrigins: z.array(text),
    ollamaKey: z.string().regex(/^key_\w+$/, {
      error: 'must be the id of a key, key_…, as hearth keys list shows it, and not its secret',
    }),
    jsonBodyLimit: size,
    imageBodyLimit: size,
    imageUrls: flag,
    audioBodyLimit: size,
    audioLengthLimit: duration,
    storedResponsesLimit: size,
    filesLimit: size,
    ffmpeg: text,
    webhook,
    timeZone: z
      .string()
      .refine(isTimeZone, { error: 'must be the name of a time zone, such as Europe/Berlin or UTC' }),
    voices: voicesSchema,
    isolation,
    queueLimit: count,
    targetGap: duration,
    memory: z.union([z.literal('auto'), size], { error: 'must be auto or a size such as 8GiB' }),
    cacheMemory: z.union([z.literal('auto'), z.literal(0), size], {
      error: 'must be auto, 0 or a size such as 1GiB',
    }),
    gpuMemory: z.union([z.literal('auto'), z.literal(0), size], {
      error: 'must be auto, 0 or a size such as 6GiB',
    }),
    ledgerRetention: durationOrNever,
    auditRetention: durationOrNever,
    reasoningTokens: z.strictObject({
      low: count.default(defaultReasoningTokens.low),
      medium: count.default(defaultReasoningTokens.medium),
      high: count.default(defaultReasoningTokens.high),
    }),
  })
  .partial();

export type ConfigFile = z.infer<typeof fileSchema>;
