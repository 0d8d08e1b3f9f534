import { statfsSync } from 'node:fs';
import os from 'node:os';
import { openCatalog, type LiveCatalog } from '../catalog/catalog.ts';
import type { Config } from '../config/types.ts';
import { isUsableFfmpeg } from '../engine/audio/ffmpeg.ts';
import { inspectDevices, type ComputeDevices, type Llama } from '../engine/llama/inspect.ts';
import { memoryBudget } from '../engine/llama/memory-budget.ts';
import { openLlama } from '../engine/llama/native.ts';
import { chooseLoad } from '../engine/llama/plan-load.ts';
import { createModelFileCheck } from '../engine/llama/remembered-load-check.ts';
import { fitsInto, formatMemory, type MemoryUse } from '../engine/memory-use.ts';
import { openStore, type Store } from '../store/store.ts';
import { createLog } from '../telemetry/log.ts';
import { isDemo, preferredChatModel, proposedModels } from './demo.ts';
import { speechFindings } from './examine-speech.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  readonly finding: string;
  /** What to do about it; undefined where nothing need be done. */
  readonly remedy?: string;
}

/** Looks at the machine, the data folder and every chat model; loads models that were never tried before. */
export async function examine(config: Config): Promise<Finding[]> {
  const log = createLog({ level: 'silent' });
  const store = openStore(config.databaseFile);
  try {
    const problems = store.integrityProblems();
    const catalog = openCatalog({
      folders: config.modelsDirs,
      pulledFolder: config.pulledModelsDir,
      entries: config.models,
      log,
    });
    const llama = await openLlama({ gpu: 'auto', maxThreads: os.availableParallelism(), log });
    try {
      const devices = await inspectDevices(llama);
      const { models: budget } = await memoryBudget(llama, config);
      return [
        { subject: 'node', ok: true, finding: `${process.version} on ${process.platform} ${process.arch}` },
        {
          subject: 'processor',
          ok: true,
          finding: `${devices.mathCores} cores, ${devices.cpuFeatures.join(' ')}`,
        },
        gpuFinding(devices),
        {
          subject: 'memory',
          ok: true,
          finding:
            `${gib(process.availableMemory())} of ${gib(os.totalmem())} free; ` +
            `models may take ${formatMemory(budget)}`,
        },
        diskFinding(config.dataDir),
        {
          subject: 'database',
          ok: problems.length === 0,
          finding: problems[0] ?? config.databaseFile,
          ...(problems.length > 0 && { remedy: 'restore it from a backup' }),
        },
        await ffmpegFinding(config),
        ...(await modelFindings(llama, catalog, store, budget)),
        ...pendingFindings(catalog),
        ...(await speechFindings(catalog.list(), createModelFileCheck(store.modelChecks))),
      ];
    } finally {
      await llama.dispose();
    }
  } finally {
    store.close();
  }
}

function gpuFinding({ gpu, gpuNames, vramBytes }: ComputeDevices): Finding {
  if (gpu !== undefined)
    return { subject: 'gpu', ok: true, finding: `${gpu}: ${gpuNames.join(', ')}, ${gib(vramBytes)}` };
  return { subject: 'gpu', ok: true, finding: 'none that llama.cpp can use: models run on the processor' };
}

function diskFinding(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const freeBytes = bavail * bsize;
  const enough = freeBytes > 2 * 2 ** 30;
  return {
    subject: 'disk',
    ok: enough,
    finding: `${gib(freeBytes)} free in ${dataDir}`,
    ...(!enough && { remedy: 'make room, or choose another --data-dir: models take gigabytes' }),
  };
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

async function modelFindings(
  llama: Llama,
  catalog: LiveCatalog,
  store: Store,
  budget: MemoryUse,
): Promise<Finding[]> {
  const checkFile = createModelFileCheck(store.modelChecks);
  const findings: Finding[] = [];
  for (const model of catalog.list().filter(({ kind }) => kind === 'chat')) {
    const verdict = await checkFile(model.path);
    if (!verdict.loadable) {
      const remedy = `remove or replace ${model.path}`;
      findings.push({ subject: model.id, ok: false, finding: verdict.reason, remedy });
      continue;
    }
    const { id, path, settings } = model;
    const { contextTokens, memory } = await chooseLoad(llama, { ...settings, id, path }, budget);
    const fits = fitsInto(budget, memory);
    const demo = isDemo(model) ? 'the demo, for trying things out; ' : '';
    const finding = `${demo}loadable; about ${formatMemory(memory)} with ${settings.parallel} × ${contextTokens} tokens`;
    const remedy = 'lower its context or parallel, raise memory, or choose a smaller quantization';
    findings.push({ subject: model.id, ok: fits, finding, ...(!fits && { remedy }) });
  }
  const remedy = `get a real one: hearth models pull ${proposedModels()[0]?.id ?? ''}`;
  if (findings.length === 0) return [{ subject: 'models', ok: false, finding: 'none', remedy }];
  const chatModel = preferredChatModel(catalog.list());
  if (chatModel !== undefined && isDemo(chatModel))
    findings.push({ subject: 'models', ok: true, finding: 'only the demo', remedy });
  return findings;
}

/** Models that are configured and have no file. */
function pendingFindings(catalog: LiveCatalog): Finding[] {
  return catalog.pending().map(({ id, reason, pullable }) => ({
    subject: id,
    ok: false,
    finding: reason,
    remedy: pullable ? `hearth models pull ${id}` : 'correct its source in the configuration',
  }));
}

const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
