import { GgufInsights, readGgufFileInfo, type GgufFileInfo, type Llama } from 'node-llama-cpp';
import { checkAdapters } from './adapters.ts';
import { checkCacheType } from './cache-type.ts';
import { choosePlacement, mostThatFit } from './needs/choose-placement.ts';
import { Layouts } from './needs/layouts.ts';
import { LoadEstimates } from './needs/load-estimates.ts';
import { draftingLayers, hasHeads, unreadBytes } from './needs/read-bytes.ts';
import { can } from '../../../model-kinds.ts';
import { mustHaveOwnSettings, type FileModelSpec } from '../../model-backend.ts';
import { onProcessor, type Placement } from '../native/model.ts';
import { projectorMemory } from '../native/projector.ts';
import { stepperTrouble } from '../native/stepper.ts';
import { gpuNames } from '../open-llama.ts';
import {
  differenceOf,
  fitsInto,
  noMemory,
  shareOf,
  sumMemory,
  type MemoryBudget,
  type MemoryUse,
} from '../../pool/memory-use.ts';
import type { ModelPlace } from '../../pool/model-place.ts';
import type { ContextShape } from '../native/context/context.ts';
import { toCells } from '../native/context/stepper-context.ts';
import { ShapeCosts, type Growth } from '../native/context/shape-costs.ts';
import { voiceContextTokens } from '../voice/voice-context.ts';

/** The settings chosen for a model, and the memory that it will take. */
export interface ChosenLoad extends Placement {
  /** The most that one request may have. */
  readonly contextTokens: number;
  /** How the context begins small and grows; undefined: each sequence has cells for `contextTokens` from the beginning. */
  readonly growth?: Growth | undefined;
  /** Sequences of the context: as many requests are computed together. */
  readonly sequences: number;
  readonly memory: MemoryUse;
  readonly place: ModelPlace;
  /** Bytes of weights that the first token of a conversation reads. */
  readonly readBytes: number;
  /** Memory that a chat model takes on top of `memory` from its first request for embeddings on. */
  readonly embeddingMemory: MemoryUse;
  /** The most tokens of context, up to these, with which it fits into the budget; 0: it never does. */
  readonly fittingContextTokens: number;
}

/** Cells with which each sequence of a context that grows begins: fewer where there are more than eight. */
const firstCells = { mostOfOne: 2048, leastOfOne: 512, ofAll: 16_384 };
const leastContextTokens = 512;
/** The context that would fit is given as a multiple of 256 tokens, because llama.cpp pads caches to that. */
const contextStepTokens = 256;
/** Share of the budget that the caches of all slots together may take when the context is not set. */
const cacheShare = 0.25;
/** Tokens of context that a model is taken to be trained for where its file does not say. */
const unknownTrainContextTokens = 4096;
/** The cache of every useful model takes more bytes than this for each token. */
const leastCacheTokenBytes = 1024;

/**
 * The context of each slot, and the memory that the model will take with it. A context that is not set is the trained
 * one, halved until the caches fit into their share of the budget and the whole model into all of it. Throws when the
 * file cannot be read, or when the context that is set has more tokens than the model has positions.
 */
export async function chooseLoad(llama: Llama, spec: FileModelSpec, budget: MemoryUse): Promise<ChosenLoad> {
  const projector = await placeProjector(llama, spec, budget);
  const left = differenceOf(budget, projector.memory);
  const chosen = await chooseForModel(llama, spec, {
    ramBytes: Math.max(0, left.ramBytes),
    vramBytes: Math.max(0, left.vramBytes),
  });
  const memory = sumMemory([chosen.memory, projector.memory]);
  if (can(spec, 'speak') && spec.parallel > 1 && !fitsInto(budget, memory))
    return await chooseLoad(llama, { ...spec, parallel: spec.parallel - 1 }, budget);
  return {
    ...chosen,
    memory,
    place: { ...chosen.place, projectorOnGpu: projector.isOnGpu, draftHeads: chosen.withHeads },
  };
}

/**
 * Where the projector is computed, on the first GPU if it fits there, and the memory of its weights and compute buffers;
 * none where no projector can be opened here.
 */
async function placeProjector(
  llama: Llama,
  { projectorPath: path, gpuLayers }: FileModelSpec,
  budget: MemoryUse,
) {
  if (path === undefined) return { memory: noMemory, isOnGpu: undefined };
  const [name] = await gpuNames(llama);
  if (name !== undefined && gpuLayers !== 0) {
    const memory = await projectorMemory({ path, usesGpu: true });
    if (memory !== undefined && memory.vramBytes <= budget.vramBytes)
      return { memory: { ...memory, gpus: { [name]: memory.vramBytes } }, isOnGpu: true };
  }
  return { memory: (await projectorMemory({ path, usesGpu: false })) ?? noMemory, isOnGpu: false };
}

async function chooseForModel(llama: Llama, spec: FileModelSpec, budget: MemoryBudget): Promise<ChosenLoad> {
  const chosen = await chooseWith(false, llama, spec, budget);
  return (await chooseWithHeads(llama, spec, budget, chosen)) ?? chosen;
}

/** The same with the model's own draft heads, where it has some and nothing else has to give way for them. */
async function chooseWithHeads(
  llama: Llama,
  spec: FileModelSpec,
  budget: MemoryBudget,
  without: ChosenLoad,
): Promise<ChosenLoad | undefined> {
  const isWanted =
    can(spec, 'generate') && (spec.drafts ?? 'all') === 'all' && stepperTrouble() === undefined;
  if (!isWanted || !hasHeads(await readGgufFileInfo(spec.path))) return undefined;
  const chosen = await chooseWith(true, llama, spec, budget).catch(() => undefined);
  if (chosen === undefined || !fitsInto(budget, chosen.memory)) return undefined;
  const isAsBefore = (['contextTokens', 'usesGpu', 'gpuLayers', 'expertLayers'] as const).every(
    (setting) => chosen[setting] === without[setting],
  );
  return isAsBefore ? { ...chosen, withHeads: true } : undefined;
}

async function chooseWith(
  heads: boolean,
  llama: Llama,
  spec: FileModelSpec,
  budget: MemoryBudget,
): Promise<ChosenLoad> {
  const layouts = await Layouts.open(llama, spec.path, heads);
  try {
    return await chooseLaidOut(llama, spec, budget, layouts);
  } finally {
    await layouts?.close();
  }
}

async function chooseLaidOut(
  llama: Llama,
  spec: FileModelSpec,
  budget: MemoryBudget,
  layouts: Layouts | undefined,
): Promise<ChosenLoad> {
  mustHaveOwnSettings(spec);
  const info = await readGgufFileInfo(spec.path);
  checkPositions(info, spec.contextTokens);
  checkCacheType(info, spec);
  const adapterBytes = await checkAdapters(info, spec.lora ?? []);
  const grows = can(spec, 'generate') && spec.reserve !== true;
  const isShared = (can(spec, 'generate') || can(spec, 'speak')) && !grows;
  const slotTokenBytes = (isShared ? spec.parallel : 1) * leastCacheTokenBytes;
  const mostContextTokens = Math.floor((budget.ramBytes + budget.vramBytes) / slotTokenBytes);
  const mostLaidOut = Math.max(mostContextTokens, leastContextTokens);
  if (spec.contextTokens !== undefined && spec.contextTokens > mostLaidOut) {
    // It fits nowhere, and is not laid out: that alone takes llama.cpp memory for each token of all slots.
    const less = await chooseLaidOut(llama, { ...spec, contextTokens: mostLaidOut }, budget, layouts);
    const memory = { ramBytes: spec.contextTokens * slotTokenBytes, vramBytes: 0 };
    return { ...less, contextTokens: spec.contextTokens, memory };
  }
  const insights = await GgufInsights.from(info, llama);
  const estimates = new LoadEstimates(insights, spec, layouts, adapterBytes);
  const leastTokens = spec.contextTokens ?? leastContextTokens;
  const shape = grows ? { cells: toCells(leastTokens), isUnified: true } : undefined;
  const fitsOnGpu = async (placed: Placement) => {
    const context = await estimates.context(placed, leastTokens, shape);
    return context.vramBytes + (await estimates.fixed(placed)).vramBytes <= budget.vramBytes;
  };
  const placement =
    llama.gpu === false ? onProcessor : await choosePlacement(spec.gpuLayers, insights, fitsOnGpu);
  const fixed = await estimates.fixed(placement);
  const weights = await estimates.weights(placement);
  const placed = {
    ...placement,
    place: placeOf(placement, insights.totalLayers - draftingLayers(info.architectureMetadata)),
    readBytes: weights.ramBytes + weights.vramBytes - unreadBytes(info),
  };
  const trainedTokens = insights.trainContextSize ?? unknownTrainContextTokens;
  if (grows) return await chooseGrowing(spec, budget, { info, estimates, placed, fixed, trainedTokens });
  const contextMemory = (tokens: number) => estimates.context(placement, tokens);
  const contextTokens =
    (can(spec, 'speak') ? voiceContextTokens : spec.contextTokens) ??
    (await chooseContext(halvedTo(mostContextTokens, trainedTokens), fixed, budget, contextMemory));
  const fits = async (tokens: number) => fitsInto(budget, fixed, await contextMemory(tokens));
  return {
    contextTokens,
    sequences: spec.parallel,
    ...placed,
    memory: sumMemory([fixed, await contextMemory(contextTokens)]),
    embeddingMemory: await estimates.embeddings(placement, contextTokens),
    fittingContextTokens: (await fits(contextTokens))
      ? contextTokens
      : contextStepTokens *
        (await mostThatFit(contextTokens / contextStepTokens, (steps) => fits(steps * contextStepTokens))),
  };
}

function placeOf({ expertLayers, ...placement }: Placement, layers: number): ModelPlace {
  const gpuLayers = Math.min(placement.gpuLayers, layers);
  return { layers, gpuLayers, expertLayers: Math.max(0, expertLayers - (layers - gpuLayers)) };
}

interface Weighed {
  readonly info: GgufFileInfo;
  readonly estimates: LoadEstimates;
  readonly placed: Placement & Pick<ChosenLoad, 'place' | 'readBytes'>;
  readonly fixed: MemoryUse;
  readonly trainedTokens: number;
}

/** A context that begins small: one request may have all that fits while there is no other one. */
async function chooseGrowing(
  spec: FileModelSpec,
  budget: MemoryBudget,
  { info, estimates, placed, fixed, trainedTokens }: Weighed,
): Promise<ChosenLoad> {
  const { parallel } = spec;
  const wanted = spec.contextTokens ?? trainedTokens;
  const estimate = (shape: ContextShape) => estimates.context(placed, wanted, shape);
  const { mostOfOne, leastOfOne, ofAll } = firstCells;
  const first = Math.max(leastOfOne, Math.min(mostOfOne, toCells(ofAll / parallel)));
  const costs = await ShapeCosts.measure(
    first * parallel,
    toCells(Math.min(wanted, first * parallel)),
    estimate,
  );
  const fits = (shape: ContextShape) => fitsInto(budget, fixed, costs.memoryOf(shape));
  const pool = (tokens: number) => ({ cells: toCells(tokens), isUnified: true });
  let fitting = toCells(Math.min(wanted, costs.mostPooled(differenceOf(budget, fixed)))) + contextStepTokens;
  while (fitting > 0 && !fits(pool(fitting))) fitting -= contextStepTokens;
  const contextTokens =
    spec.contextTokens ??
    Math.min(trainedTokens, Math.max(fitting, Math.min(trainedTokens, leastContextTokens)));
  // Such models compute positions in another way as soon as the context has more cells than this.
  const others = info.fullTensorInfo?.some(({ name }) => name.startsWith('rope_factors_long')) === true;
  const begins = others && contextTokens > first ? contextTokens : first;
  let cells = toCells(Math.min(contextTokens, begins));
  const streams = () => ({ cells: cells * parallel, isUnified: false });
  // Few cells take more than the line says where windows keep some of their own.
  const memoryOfStreams = async () => sumMemory([fixed, await estimate(streams())]);
  let memory = await memoryOfStreams();
  if (!others)
    while (cells > contextStepTokens && !fitsInto(budget, memory)) {
      cells = toCells(cells / 2);
      memory = await memoryOfStreams();
    }
  const takesPool = fitting < contextTokens || !fitsInto(budget, memory);
  const least = takesPool && fitting >= contextTokens ? pool(contextTokens) : streams();
  if (takesPool) memory = sumMemory([fixed, costs.memoryOf(pool(contextTokens))]);
  return {
    contextTokens,
    growth: { least, costs, mostForStreams: shareOf(budget, cacheShare) },
    sequences: parallel,
    ...placed,
    memory,
    embeddingMemory: await estimates.embeddings(placed, contextTokens),
    fittingContextTokens: Math.min(contextTokens, fitting),
  };
}

/** The remedy where a model does not fit into memory: a sentence for the operator. */
export const smallerSettings = (spec: Pick<FileModelSpec, 'kind'>): string =>
  // The context of a voice is no setting, and its parallel was lowered already.
  can(spec, 'speak')
    ? 'Take a smaller quantization, or raise the memory setting.'
    : 'Lower its context or parallel, take a smaller quantization, or raise the memory setting.';

/** The remedy with the context that would fit into the budget, if one does. */
export function waysToFit(
  { fittingContextTokens }: Pick<ChosenLoad, 'fittingContextTokens'>,
  spec: Pick<FileModelSpec, 'kind'>,
): string {
  if (fittingContextTokens === 0 || can(spec, 'speak')) return smallerSettings(spec);
  return `A context of up to ${fittingContextTokens} tokens would fit. ${smallerSettings(spec)}`;
}

/** The largest of `mostTokens`, its half, its quarter and so on that fits; the least one where none does. */
async function chooseContext(
  mostTokens: number,
  fixed: MemoryUse,
  budget: MemoryUse,
  contextMemory: (contextTokens: number) => Promise<MemoryUse>,
): Promise<number> {
  // Compute buffers take the same for every size of the context. Only the part that grows with it counts as caches.
  const least = await contextMemory(leastContextTokens);
  const mostForContext = {
    ramBytes: least.ramBytes + budget.ramBytes * cacheShare,
    vramBytes: least.vramBytes + budget.vramBytes * cacheShare,
  };
  for (let contextTokens = mostTokens; ; contextTokens = Math.floor(contextTokens / 2)) {
    const context = await contextMemory(contextTokens);
    const fits = fitsInto(mostForContext, context) && fitsInto(budget, fixed, context);
    if (fits || Math.floor(contextTokens / 2) < leastContextTokens) return contextTokens;
  }
}

/** `tokens`, halved until there are no more than `most`, or than the least context has. */
function halvedTo(most: number, tokens: number): number {
  let halved = tokens;
  while (halved > Math.max(most, leastContextTokens)) halved = Math.floor(halved / 2);
  return halved;
}

/** Throws where positions are weights (BERT, GPT-2) and too few: llama.cpp ends the process beyond the last one. */
function checkPositions({ fullTensorInfo = [] }: GgufFileInfo, contextTokens = 0): void {
  const weights = fullTensorInfo.find(({ name }) => name === 'position_embd.weight');
  const positions = Number(weights?.dimensions[1] ?? Number.POSITIVE_INFINITY);
  if (contextTokens > positions)
    throw new Error(
      `its context is set to ${contextTokens} tokens, and it has positions for ${positions} only`,
    );
}
