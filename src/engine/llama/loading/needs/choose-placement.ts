import type { GgufFileInfo, GgufInsights } from 'node-llama-cpp';
import { onProcessor, type Placement } from '../../native/model.ts';
import { stepperTrouble } from '../../native/stepper.ts';

/**
 * As much on the GPU as `fits`, unless it is said how many layers: all of them, in a mixture without the experts of the
 * first ones if need be, because these are most of its weights and each token asks few of them; otherwise fewer layers.
 */
export async function choosePlacement(
  gpuLayers: number | undefined,
  { totalLayers, ggufFileInfo }: GgufInsights,
  fits: (placement: Placement) => Promise<boolean>,
): Promise<Placement> {
  const placed = (layers: number, expertLayers: number): Placement => ({
    usesGpu: true,
    gpuLayers: layers,
    expertLayers,
  });
  if (gpuLayers !== undefined) return placed(Math.min(gpuLayers, totalLayers), 0);
  const mixed = stepperTrouble() === undefined ? layersWithExperts(ggufFileInfo) : 0;
  const withExperts = (layers: number) => placed(totalLayers, mixed - layers);
  if (await fits(withExperts(0)))
    return withExperts(await mostThatFit(mixed, (layers) => fits(withExperts(layers))));
  const some = placed(await mostThatFit(totalLayers, (layers) => fits(placed(layers, mixed))), mixed);
  return some.gpuLayers > 0 || (await fits(some)) ? some : onProcessor;
}

/** As the stepper names them. */
const expertWeights = /^blk\.(\d+)\.ffn_(?:up|down|gate|gate_up)_(?:ch)?exps/;

/** The number of the layer whose experts are the tensor of this name; undefined: it is another tensor. */
export function layerWithExperts(name: string): number | undefined {
  const layer = expertWeights.exec(name)?.[1];
  return layer === undefined ? undefined : Number(layer);
}

/** The first layers up to the last one that has experts; 0: the model is no mixture. */
const layersWithExperts = ({ fullTensorInfo = [] }: GgufFileInfo): number =>
  1 + Math.max(-1, ...fullTensorInfo.map(({ name }) => layerWithExperts(name) ?? -1));

/** The largest whole number up to `most` that fits, where all smaller ones do; 0 where none does. */
export async function mostThatFit(most: number, fits: (count: number) => Promise<boolean>): Promise<number> {
  if (await fits(Math.floor(most))) return Math.floor(most);
  let [fitting, tooMany] = [0, Math.floor(most)];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (await fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
