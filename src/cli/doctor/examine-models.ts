import { statSync } from 'node:fs';
import type { LiveCatalog } from '../../catalog/catalog.ts';
import { loadCuratedModels } from '../../catalog/pulls/curated-models.ts';
import {
  placedTokensPerSecond,
  suitableModels,
  type MachinePower,
} from '../../catalog/pulls/expected-speed.ts';
import { curatedModelsFile } from '../../config/paths.ts';
import type { Config } from '../../config/types.ts';
import type { CatalogModel, CatalogLog } from '../../catalog/types.ts';
import type { Llama } from '../../engine/llama/open-llama.ts';
import { chooseLoad, type ChosenLoad } from '../../engine/llama/loading/plan-load.ts';
import { checkFor } from '../../engine/model-check/load-check.ts';
import { createModelFileCheck, type ModelFileCheck } from '../../engine/model-check/remembered-load-check.ts';
import { can } from '../../model-kinds.ts';
import { fitsInto, formatMemory, type MemoryUse } from '../../engine/pool/memory-use.ts';
import { formatPlace } from '../../engine/pool/model-place.ts';
import { examineUpstream } from '../../engine/upstream/examine.ts';
import { whisperAddon } from '../../engine/whisper/addon/addon-file.ts';
import { estimateMemory, readDimensions } from '../../engine/whisper/model-file.ts';
import type { Store } from '../../store/store.ts';
import { openCatalog } from '../../assembly/open-catalog.ts';
import { isDemo, preferredChatModel } from '../../config/demo.ts';
import { sameFolder, shellCommand } from '../own-command.ts';
import { roughly } from '../models/models-pull.ts';
import { addonFault, addonsFinding } from './examine-addons.ts';
import type { Finding } from './finding.ts';
import { folderProblems } from './models-folders.ts';
import { inspectModelFile } from '../../catalog/files/model-file.ts';

interface ModelExamination {
  readonly llama: Llama;
  readonly store: Store;
  readonly budget: MemoryUse;
  readonly machine: MachinePower;
  readonly config: Config;
}

/** About the models folders, every file in them, every model, and the files that the configuration names. */
export async function examineModels(examination: ModelExamination): Promise<Finding[]> {
  const { config } = examination;
  const files = listenForFiles();
  const catalog = openCatalog(config, files.log);
  return [
    ...folderFindings(catalog, config),
    ...files.findings(),
    ...(await modelFindings(catalog, examination)),
    ...isolationFindings(catalog.list()),
    ...(await remoteFindings(catalog.list())),
    ...pendingFindings(catalog, config),
    ...(await speechFindings(catalog, examination)),
  ];
}

async function modelFindings(
  catalog: LiveCatalog,
  { llama, store, budget, machine, config }: ModelExamination,
): Promise<Finding[]> {
  const checkFile = createModelFileCheck(store.modelChecks, checkFor(config));
  const findings: Finding[] = [];
  for (const model of catalog.list()) {
    const { id, kind, path, settings, projector } = model;
    if (path === undefined || can(model, 'transcribe')) continue;
    const finding = await fileFinding(id, path, checkFile, async () => {
      const chosen = await chooseLoad(
        llama,
        { ...settings, id, kind, path, projectorPath: projector?.path },
        budget,
      );
      const { memory, fittingContextTokens: fitting } = chosen;
      const writes = can(model, 'generate');
      const demo = writes && isDemo(model) ? 'the demo, for trying things out; ' : '';
      const where = llama.gpu === false ? '' : `; ${formatPlace(chosen.place)}`;
      const speed = writes ? placedTokensPerSecond(machine, chosen) : undefined;
      const howFast = speed === undefined ? '' : `; about ${roughly(speed)} tokens/s`;
      const heads = chosen.withHeads === true ? '; guesses tokens with its draft heads' : '';
      const text = `${demo}loadable; about ${formatMemory(memory)} ${sizeOf(model, chosen)}${where}${howFast}${heads}`;
      if (fitsInto(budget, memory)) return { ok: true, finding: text };
      const context = fitting > 0 ? `context (up to ${fitting} tokens fit)` : 'context';
      const less = can(model, 'speak') ? '' : `lower its ${context} or parallel, `;
      return { ok: false, finding: text, remedy: `${less}raise memory, or choose a smaller quantization` };
    });
    findings.push(finding);
  }
  const best = suitableModels(loadCuratedModels(curatedModelsFile), machine).at(-1);
  const remedy = `get a real one: ${shellCommand(['models', 'pull', best?.id ?? '', ...sameFolder(config)])}`;
  if (!catalog.list().some((model) => can(model, 'generate')))
    return [...findings, { subject: 'models', ok: false, finding: 'none that writes text', remedy }];
  const chatModel = preferredChatModel(catalog.list());
  if (chatModel !== undefined && isDemo(chatModel))
    findings.push({ subject: 'models', ok: true, finding: 'only the demo', remedy });
  return findings;
}

/** The use of the memory: tokens of context, or texts that are spoken at a time. */
function sizeOf(
  { kind, settings: { parallel } }: CatalogModel,
  { contextTokens, sequences, growth }: ChosenLoad,
): string {
  if (can({ kind }, 'speak'))
    return sequences === 1 ? 'for one text at a time' : `for ${sequences} texts at a time`;
  if (growth !== undefined) return `at first; up to ${contextTokens} tokens`;
  return can({ kind }, 'generate')
    ? `with ${parallel} × ${contextTokens} tokens`
    : `with a context of ${contextTokens} tokens`;
}

/** Whether the servers answer that run models for hearth. */
async function remoteFindings(models: readonly CatalogModel[]): Promise<Finding[]> {
  const findings = models.map(async ({ id: subject, upstream }) => {
    if (upstream === undefined) return [];
    const found = await examineUpstream(upstream);
    return found.map((finding) => ({ subject, ...finding }));
  });
  return (await Promise.all(findings)).flat();
}

/** Whether the addons are built, and with which models speech can be transcribed here. */
async function speechFindings(
  catalog: LiveCatalog,
  { store, budget, config }: ModelExamination,
): Promise<Finding[]> {
  const checkFile = createModelFileCheck(store.modelChecks, checkFor(config));
  const findings = [addonsFinding()];
  if (addonFault(whisperAddon) !== undefined) return findings;
  for (const model of catalog.list()) {
    const { id, path } = model;
    if (path === undefined || !can(model, 'transcribe')) continue;
    const finding = await fileFinding(id, path, checkFile, () => {
      const memory = estimateMemory(readDimensions(path), statSync(path).size, 1);
      const text = `loadable; about ${formatMemory(memory)} for one transcription at a time`;
      return fitsInto(budget, memory)
        ? { ok: true, finding: text }
        : { ok: false, finding: text, remedy: 'raise memory, or choose a smaller model' };
    });
    findings.push(finding);
  }
  return findings;
}

/** The fault that the check of a model's file finds; for a sound file the finding of `examine`. */
async function fileFinding(
  subject: string,
  path: string,
  checkFile: ModelFileCheck,
  examine: () => Omit<Finding, 'subject'> | Promise<Omit<Finding, 'subject'>>,
): Promise<Finding> {
  const verdict = await checkFile(path);
  if (verdict.loadable) return { subject, ...(await examine()) };
  return { subject, ok: false, finding: verdict.reason, remedy: `remove or replace ${path}` };
}

function folderFindings(catalog: LiveCatalog, config: Config): Finding[] {
  return folderProblems(catalog, config).map(({ folder, problem, remedy }) => ({
    subject: 'models folder',
    ok: false,
    finding: `${folder}: ${problem}`,
    remedy,
  }));
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

/** Which models run in processes of their own; nothing where none does. */
export function isolationFindings(
  models: readonly Pick<CatalogModel, 'id' | 'path' | 'settings'>[],
): Finding[] {
  const inFiles = models.filter(({ path }) => path !== undefined);
  const isolated = inFiles.filter(({ settings }) => settings.isolation === 'process');
  if (isolated.length === 0) return [];
  const ids = isolated.map(({ id }) => id).join(', ');
  const finding =
    isolated.length === inFiles.length
      ? 'all models run in processes of their own'
      : `in processes of their own: ${ids}`;
  return [{ subject: 'isolation', ok: true, finding }];
}

interface FileWarning {
  readonly path: string;
  /** Begins with `skipped:` where the file is not served, and else names the remedy. */
  readonly message: string;
}

/** A log for a catalog, and findings about the files that the catalog warned of. */
export function listenForFiles(): { readonly log: CatalogLog; readonly findings: () => Finding[] } {
  const warnings: FileWarning[] = [];
  const log: CatalogLog = {
    debug: () => undefined,
    info: () => undefined,
    warn: ({ path }, message) => void warnings.push({ path: String(path), message }),
  };
  return { log, findings: () => warnings.map(toFinding) };
}

function toFinding({ path, message }: FileWarning): Finding {
  const inspection = inspectModelFile(path);
  const finding = { subject: 'file', finding: `${path}: ${message}` };
  // A projector beside its model, for example, is no fault.
  if (inspection.outcome === 'skipped' && inspection.isUnservable) return { ...finding, ok: true };
  if (!message.startsWith('skipped:')) return { ...finding, ok: false };
  return { ...finding, ok: false, remedy: 'replace it, or take it out of the models folder' };
}
