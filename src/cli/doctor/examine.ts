import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MachinePower } from '../../catalog/pulls/expected-speed.ts';
import type { Config } from '../../config/types.ts';
import { isUsableFfmpeg } from '../../engine/audio/ffmpeg.ts';
import { memoryBudget } from '../../engine/llama/loading/memory-budget.ts';
import { examineGpu } from '../../engine/llama/gpu/gpu-packages.ts';
import { inspectDevices, openLlama, type ComputeDevices } from '../../engine/llama/open-llama.ts';
import { formatMemory, type MemoryUse } from '../../engine/pool/memory-use.ts';
import { StoreError } from '../../errors/operator-errors.ts';
import { damagedDatabase, whyUnwritten } from '../../store/damaged-database.ts';
import { openStore, type Store } from '../../store/store.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { createLog } from '../../telemetry/log.ts';
import { openAccounts, openTellingStore } from '../context.ts';
import { measureMachine } from '../../assembly/machine/machine-power.ts';
import { librariesHint } from '../gpu.ts';
import { shellCommand } from '../own-command.ts';
import { examineModels } from './examine-models.ts';
import { mcpFindings } from '../mcp/mcp.ts';
import type { Finding } from './finding.ts';
import { windowMs, type Plans } from '../../accounts/plans.ts';
import { IdentityProvider } from '../../accounts/sign-in/identity-provider.ts';
import { readSetting } from '../../config/values/secret-source.ts';
import { messageOf } from '../../words/describe-error.ts';
import { queryUsage, type Usage } from '../../limits/reports/usage.ts';

/** Looks at the machine, the data folder and every model; loads models that were never tried before. */
export async function examine(config: Config): Promise<Finding[]> {
  const log = createLog({ level: 'silent' });
  const { store, problem } = openSomeStore(config);
  try {
    // Measured before anything else runs, because it needs all cores.
    const machine = await measureMachine(config);
    const llama = await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log });
    try {
      const devices = await inspectDevices(llama);
      const { models: budget } = memoryBudget(devices, config);
      return [
        ...(await machineFindings(devices, machine, budget)),
        diskFinding(config.dataDir),
        databaseFinding(config, problem),
        await ffmpegFinding(config),
        ...(await examineModels({ llama, store, budget, machine, config })),
        ...(await mcpFindings(config)),
        ...(await signInFindings(config, openAccounts(config, store).plans.plans)),
        ...cacheFindings(store, Date.now()),
      ];
    } finally {
      await llama.dispose();
    }
  } finally {
    store.close();
  }
}

async function machineFindings(
  devices: ComputeDevices,
  machine: MachinePower,
  budget: MemoryUse,
): Promise<Finding[]> {
  const { mathCores, cpuFeatures } = devices;
  const free = `${formatBytes(process.availableMemory())} of ${formatBytes(os.totalmem())} free`;
  return [
    { subject: 'node', ok: true, finding: `${process.version} on ${process.platform} ${process.arch}` },
    { subject: 'processor', ok: true, finding: `${mathCores} cores, ${cpuFeatures.join(' ')}` },
    await gpuFinding(devices),
    {
      subject: 'memory',
      ok: true,
      finding: `${free}${toReadingSpeed(machine)}; models may take ${formatMemory(budget)}`,
    },
  ];
}

interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * The store; where it cannot be used, as on a full disk, an empty one elsewhere and why: the rest of the table is wanted
 * most then.
 */
function openSomeStore(config: Config): { readonly store: Store; readonly problem?: Problem } {
  const problem = problemOf(config);
  if (problem === undefined) return { store: openTellingStore(config) };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hearth-doctor-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { store: openStore(path.join(folder, 'hearth.db')), problem };
}

/** The fault of the database; undefined: it has none. */
function problemOf(config: Config): Problem | undefined {
  try {
    const store = openTellingStore(config);
    try {
      store.checkWritable();
      const [found] = store.integrityProblems();
      return found === undefined ? undefined : damagedDatabase(config.databaseFile, found);
    } finally {
      store.close();
    }
  } catch (error) {
    const problem = whyUnwritten(config.databaseFile, error);
    if (problem instanceof StoreError) return problem;
    throw error;
  }
}

function databaseFinding({ databaseFile }: Config, problem: Problem | undefined): Finding {
  const subject = 'database';
  if (problem === undefined) return { subject, ok: true, finding: databaseFile };
  return { subject, ok: false, finding: problem.message, remedy: problem.hint };
}

/** Such as `, read at 38 GB/s`. */
function toReadingSpeed({ memoryBytesPerSecond }: MachinePower): string {
  return memoryBytesPerSecond === undefined ? '' : `, read at ${formatBytes(memoryBytesPerSecond)}/s`;
}

async function gpuFinding({ gpu, gpuNames, vramBytes }: ComputeDevices): Promise<Finding> {
  if (gpu !== undefined)
    return { subject: 'gpu', ok: true, finding: `${gpu}: ${gpuNames.join(', ')}, ${formatBytes(vramBytes)}` };
  const { isThere, kinds, missing } = await examineGpu();
  const finding = `${isThere ? 'not used' : 'none that llama.cpp can use'}: models run on the processor`;
  const remedy = kinds.length === 0 ? librariesHint : `run: ${shellCommand(['gpu', 'install'])}`;
  const canHelp = isThere && (kinds.length === 0 || missing.length > 0);
  return { subject: 'gpu', ok: true, finding, ...(canHelp && { remedy }) };
}

function diskFinding(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(existsSync(dataDir) ? dataDir : os.homedir());
  const freeBytes = bavail * bsize;
  const enough = freeBytes > 2e9;
  return {
    subject: 'disk',
    ok: enough,
    finding: `${formatBytes(freeBytes)} free in ${dataDir}`,
    ...(!enough && { remedy: 'make room, or choose another --data-dir: models take gigabytes' }),
  };
}

/** Whether the identity provider answers, and its groups have plans that there are. */
export async function signInFindings({ oidc }: Config, plans: Plans): Promise<Finding[]> {
  if (oidc === undefined) return [];
  const subject = 'sign-in';
  const { issuer, groups, defaultPlan } = oidc;
  const unknown = [...groups.map(({ plan }) => plan), defaultPlan].filter((plan) => plan && !plans.has(plan));
  if (unknown.length > 0)
    return [
      {
        subject,
        ok: false,
        finding: `oidc names plans that there are not: ${unknown.join(', ')}`,
        remedy: 'those in such a group cannot sign in: see hearth plans',
      },
    ];
  const provider = new IdentityProvider(oidc, (secret) => readSetting(secret, process.env));
  try {
    await provider.check();
    return [{ subject, ok: true, finding: `${issuer} answers; it has to know ${provider.callbackUrl}` }];
  } catch (error) {
    const finding = `${issuer} cannot be used: ${messageOf(error)}`;
    return [{ subject, ok: false, finding, remedy: 'check oidc.issuer, and its clientSecret' }];
  }
}

const builtInFormats = 'WAV, MP3, FLAC, Ogg and WebM';

async function ffmpegFinding({ ffmpeg }: Config): Promise<Finding> {
  const subject = 'ffmpeg';
  if (ffmpeg === undefined)
    return { subject, ok: true, finding: `not wanted: hearth decodes ${builtInFormats} by itself` };
  const usable = await isUsableFfmpeg(ffmpeg);
  if (usable === true) return { subject, ok: true, finding: `${ffmpeg} decodes audio` };
  if (usable === undefined)
    return { subject, ok: true, finding: `${ffmpeg} cannot be run now`, remedy: 'check it, and try again' };
  return {
    subject,
    ok: true,
    finding: `no ${ffmpeg} that can write MP3: hearth decodes ${builtInFormats} by itself, several times slower`,
    remedy: 'install ffmpeg for M4A, MP4 and MPEG, and for speed (Debian and Ubuntu: apt-get install ffmpeg)',
  };
}

const spanMs = 7 * windowMs.day;
const mostKeys = 5;
/** A key with this many requests of at least this many tokens each sends long prompts again and again, as agents do. */
const manyRequests = 5;
const longPromptTokens = 4000;
const fewCached = 0.5;

/** How much of their prompts the keys that sent most in the last week found in the cache, so that a spoiled one is seen. */
export function cacheFindings(store: Store, nowMs: number): Finding[] {
  return queryUsage(store, { by: 'key', fromMs: nowMs - spanMs })
    .filter(({ promptTokens }) => promptTokens > 0)
    .toSorted((a, b) => b.promptTokens - a.promptTokens)
    .slice(0, mostKeys)
    .map(toFinding);
}

function toFinding({ label, requests, promptTokens, cachedTokens }: Usage): Finding {
  const share = cachedTokens / promptTokens;
  const isSpoiled =
    requests >= manyRequests && promptTokens / requests >= longPromptTokens && share < fewCached;
  const remedy =
    'something early in its prompts changes each time: the page about agents tells what spoils the cache';
  return {
    subject: 'cache',
    ok: true,
    finding: `${label}: ${Math.floor(share * 100)} % of ${promptTokens.toLocaleString('en')} prompt tokens of a week came from the cache`,
    ...(isSpoiled && { remedy }),
  };
}
