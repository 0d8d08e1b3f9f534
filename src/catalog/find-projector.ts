import { basename, dirname } from 'node:path';
import { projectorQuantizations } from './files/model-file.ts';
import type { Shelf, ShelfContents, ShelvedModel, ShelvedProjector } from './model-shelf.ts';

/**
 * The projector of `model` among those in its folder; undefined: there is none. Where several models or projectors lie
 * there, their names and sizes tell which belong together, and a warning says where they do not.
 */
export function findProjector(
  model: ShelvedModel,
  { models, projectors }: ShelfContents,
  shelf: Shelf,
): ShelvedProjector | undefined {
  const { kind } = model.facts;
  if (kind !== 'chat' && kind !== 'voice') return undefined;
  const folder = dirname(model.path);
  const beside = projectors.filter(
    ({ path, facts }) => dirname(path) === folder && facts.speaks === (kind === 'voice'),
  );
  const named = beside.filter((projector) => fitsName(projector, model));
  const fitting = beside.filter((projector) => fitsSize(projector, model));
  if (named.length > 0) {
    const best = mostUsual(named.filter((projector) => fitting.includes(projector)));
    if (best === undefined) shelf.warnOnce(model.path, ambiguity('none fits its size', named));
    return best;
  }
  // The names say nothing, or are those of other models.
  const others = models.filter(({ path, facts }) => dirname(path) === folder && facts.kind === kind);
  const isAlone =
    others.length === 1 || others.every(({ facts: { name } }) => name !== null && name === model.facts.name);
  if (fitting.length === 0 || !isAlone) return undefined;
  if (new Set(fitting.map(({ facts }) => facts.name)).size === 1) return mostUsual(fitting);
  shelf.warnOnce(model.path, ambiguity('any may belong to it', fitting));
  return undefined;
}

function ambiguity(why: string, projectors: readonly ShelvedProjector[]): string {
  const names = projectors.map(({ path }) => basename(path)).join(', ');
  return `served without a projector, as of ${names} ${why}: name the right one as its "projector" in the configuration`;
}

/** False where the files say that the projector belongs to a model of another size. */
function fitsSize({ facts }: ShelvedProjector, model: ShelvedModel): boolean {
  const { projectionLength } = facts;
  const { embeddingLength } = model.facts;
  return projectionLength === null || embeddingLength === null || projectionLength === embeddingLength;
}

/** Whether the name of the projector, in its file or of its file, is that of the model. */
function fitsName({ path, facts }: ShelvedProjector, model: ShelvedModel): boolean {
  const [own, other] = [bareName(facts.name ?? ''), bareName(model.facts.name ?? '')];
  if (own !== '' && own === other) return true;
  const [file, modelFile] = [bareName(basename(path)), bareName(basename(model.path))];
  return file !== '' && modelFile.startsWith(file);
}

/** A name without the parts that differ between the files of one model: `mmproj`, precision, extension, separators. */
function bareName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.gguf$/, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replace(/mmproj|projector|model/g, '')
    .replace(/[-_.](?:b?f16|f32|i?q\d\w*|mxfp4)$/, '')
    .replace(/[^a-z0-9]/g, '');
}

function mostUsual(projectors: readonly ShelvedProjector[]): ShelvedProjector | undefined {
  const rank = ({ facts }: ShelvedProjector) => {
    const at = projectorQuantizations.indexOf(facts.quantization ?? '');
    return at < 0 ? projectorQuantizations.length : at;
  };
  return projectors.toSorted((a, b) => rank(a) - rank(b))[0];
}
