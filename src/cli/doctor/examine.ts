import { can } from '../../model-kinds.ts';
import { statfsSync } from 'node:fs';
import os from 'node:os';
import { openCatalog, type LiveCatalog } from '../../catalog/catalog.ts';
import { loadCuratedModels } from '../../catalog/pulls/curated-models.ts';
import { suitableModels, type MachinePower } from '../../catalog/pulls/expected-speed.ts';
import { inspectModelFile } from '../../catalog/files/model-file.ts';
import { curatedModelsFile } from '../../config/paths.ts';
import type { Config } from '../../config/types.ts';
import { isUsableFfmpeg } from '../../engine/audio/ffmpeg.ts';
import { inspectDevices, type ComputeDevices, type Llama } from '../../engine/llama/inspect.ts';
import { memoryBudget } from '../../engine/llama/memory-budget.ts';
import { openLlama } from '../../engine/llama/native.ts';
import { chooseLoad } from '../../engine/llama/plan-load.ts';
import { createModelFileCheck } from '../../engine/model-check/remembered-load-check.ts';
import { fitsInto, formatMemory, type MemoryUse } from '../../engine/pool/memory-use.ts';
import { formatBytes } from '../../format-bytes.ts';
import { openStore, type Store } from '../../store/store.ts';
import { createLog } from '../../telemetry/log.ts';
import { isDemo, preferredChatModel } from '../demo.ts';
import { speechFindings } from './examine-speech.ts';
import { measureMachine } from '../models/machine-power.ts';
import { folderProblems } from './models-folders.ts';
import { sameFolder, shellCommand } from '../own-command.ts';

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
    const skipped: SkippedFile[] = [];
    const catalog = openCatalog({
      folders: config.modelsDirs,
      pulledFolder: config.pulledModelsDir,
      entries: config.models,
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: ({ path }, message) => void skipped.push({ path: String(path), message }),
      },
    });
    // First of all: what follows takes the cores that this is measured on.
    const machine = await measureMachine();
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
            `${formatBytes(process.availableMemory())} of ${formatBytes(os.totalmem())} free` +
            `${toReadingSpeed(machine)}; models may take ${formatMemory(budget)}`,
        },
        diskFinding(config.dataDir),
        {
          subject: 'database',
          ok: problems.length === 0,
          finding: problems[0] ?? config.databaseFile,
          ...(problems.length > 0 && { remedy: 'restore it from a backup' }),
        },
        await ffmpegFinding(config),
        ...folderFindings(config),
        ...skippedFindings(skipped),
        ...(await modelFindings({ llama, catalog, store, budget, machine, config })),
        ...pendingFindings(catalog, config),
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
    return { subject: 'gpu', ok: true, finding: `${gpu}: ${gpuNames.join(', ')}, ${formatBytes(vramBytes)}` };
  return { subject: 'gpu', ok: true, finding: 'none that llama.cpp can use: models run on the processor' };
}

function diskFinding(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  const freeBytes = bavail * bsize;
  const enough = freeBytes > 2e9;
  return {
    subject: 'disk',
    ok: enough,
    finding: `${formatBytes(freeBytes)} free in ${dataDir}`,
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

interface ModelExamination {
  readonly llama: Llama;
  readonly catalog: LiveCatalog;
  readonly store: Store;
  readonly budget: MemoryUse;
  readonly machine: MachinePower;
  readonly config: Config;
}

async function modelFindings(examination: ModelExamination): Promise<Finding[]> {
  const { llama, catalog, store, budget, machine, config } = examination;
  const checkFile = createModelFileCheck(store.modelChecks);
  const findings: Finding[] = [];
  for (const model of catalog.list().filter((one) => can(one, 'generate'))) {
    const verdict = await checkFile(model.path);
    if (!verdict.loadable) {
      const remedy = `remove or replace ${model.path}`;
      findings.push({ subject: model.id, ok: false, finding: verdict.reason, remedy });
      continue;
    }
    const { settings } = model;
    const { contextTokens, memory } = await chooseLoad(
      llama,
      { ...settings, id: model.id, kind: model.kind, path: model.path },
      budget,
    );
    const fits = fitsInto(budget, memory);
    const demo = isDemo(model) ? 'the demo, for trying things out; ' : '';
    const finding = `${demo}loadable; about ${formatMemory(memory)} with ${settings.parallel} × ${contextTokens} tokens`;
    const remedy = 'lower its context or parallel, raise memory, or choose a smaller quantization';
    findings.push({ subject: model.id, ok: fits, finding, ...(!fits && { remedy }) });
  }
  const best = suitableModels(loadCuratedModels(curatedModelsFile), machine).at(-1);
  const remedy = `get a real one: ${shellCommand(['models', 'pull', best?.id ?? '', ...sameFolder(config)])}`;
  if (findings.length === 0) return [{ subject: 'models', ok: false, finding: 'none', remedy }];
  const chatModel = preferredChatModel(catalog.list());
  if (chatModel !== undefined && isDemo(chatModel))
    findings.push({ subject: 'models', ok: true, finding: 'only the demo', remedy });
  return findings;
}

function folderFindings(config: Config): Finding[] {
  return folderProblems(config).map(({ folder, problem, remedy }) => ({
    subject: 'models folder',
    ok: false,
    finding: `${folder}: ${problem}`,
    remedy,
  }));
}

/** A file that lies among the models and is none that can be served. */
interface SkippedFile {
  readonly path: string;
  /** Begins with `skipped:`. */
  readonly message: string;
}

function skippedFindings(files: readonly SkippedFile[]): Finding[] {
  return files.map(({ path, message }) => {
    const inspection = inspectModelFile(path);
    const finding = { subject: 'file', finding: `${path}: ${message}` };
    // A projector beside its model, for example, belongs there.
    if (inspection.outcome === 'skipped' && inspection.isUnservable) return { ...finding, ok: true };
    return { ...finding, ok: false, remedy: 'replace it, or take it out of the models folder' };
  });
}

/** Such as `, read at 38 GB/s`. */
function toReadingSpeed({ memoryBytesPerSecond }: MachinePower): string {
  return memoryBytesPerSecond === undefined ? '' : `, read at ${formatBytes(memoryBytesPerSecond)}/s`;
}

/** Models that are configured and have no file. */
function pendingFindings(catalog: LiveCatalog, config: Config): Finding[] {
  return catalog.pending().map(({ id, reason, pullable }) => ({
    subject: id,
    ok: false,
    finding: reason,
    remedy: pullable
      ? shellCommand(['models', 'pull', id, ...sameFolder(config)])
      : 'correct its source in the configuration',
  }));
}
