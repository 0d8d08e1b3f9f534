import { fileEngineNames, fileFormats } from '../../../engine/file-formats.ts';
import { projectorQuantizations } from '../../files/model-file.ts';
import { DownloadError } from '../download-error.ts';

export interface ListedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string | undefined;
}

/** The quantisations that are chosen when none is named, best first: a good balance of size and quality. */
const preferredQuantizations =
  'Q4_K_M Q4_K_S Q5_K_M Q4_K_XL Q4_0 IQ4_XS IQ4_NL MXFP4 Q6_K Q8_0 Q3_K_M F16 BF16 F32'.split(' ');

const partName = /-(\d{5})-of-(\d{5})(?=\.gguf$)/i;
const extensions = fileEngineNames.map((name) => fileFormats[name].extension);
const modelName = new RegExp(`\\.(?:${extensions.join('|')})$`, 'i');
const otherName =
  /mmproj|imatrix|(?:^|\/)(?:pytorch_model|training_args|optimizer|scheduler)|-encoder\.mlmodelc/i;
const maxNamed = 12;

/** The files of the model that `selector` names (null: the usual one), a projector last. Throws DownloadError. */
export function chooseFiles(files: readonly ListedFile[], selector: string | null): readonly ListedFile[] {
  const models = groupParts(files.filter(({ path }) => modelName.test(path)));
  const candidates = models.filter(({ name }) => !otherName.test(name));
  if (models.length === 0) throw new DownloadError('the repository holds no GGUF and no whisper file');
  const chosen =
    selector === null
      ? chooseUsual(candidates, preferredQuantizations)
      : chooseNamed(models, candidates, selector);
  if (chosen === undefined) {
    const names = candidates.slice(0, maxNamed).map(({ name }) => name.replace(modelName, ''));
    const more = candidates.length > maxNamed ? ', …' : '';
    const what = selector === null ? 'there are several models in it' : `nothing in it is called ${selector}`;
    throw new DownloadError(what, { hint: `name one of: ${names.join(', ')}${more}` });
  }
  if (chosen.files.length !== chosen.partCount) {
    throw new DownloadError(
      `${chosen.name} has ${chosen.partCount} parts, but only ${chosen.files.length} are there`,
    );
  }
  return [...chosen.files, ...projectorFor(chosen, models)];
}

/** A model of a repository, with its projector. */
export interface ModelVariant {
  /** By which `chooseFiles` finds it. */
  readonly selector: string;
  readonly sizeBytes: number;
}

/** The whole models among `files`, the smallest first. */
export function variantsIn(files: readonly ListedFile[]): readonly ModelVariant[] {
  const models = groupParts(files.filter(({ path }) => modelName.test(path)));
  return models
    .filter(({ name, files: parts, partCount }) => !otherName.test(name) && parts.length === partCount)
    .map((group) => ({
      selector: group.name,
      sizeBytes: [...group.files, ...projectorFor(group, models)].reduce(
        (sum, { sizeBytes }) => sum + sizeBytes,
        0,
      ),
    }))
    .toSorted((one, other) => one.sizeBytes - other.sizeBytes);
}

const projectorName = /mmproj/i;

/** The projector by which the model sees or hears: its own folder's, or else the repository's. */
function projectorFor(chosen: ModelGroup, models: readonly ModelGroup[]): readonly ListedFile[] {
  if (projectorName.test(chosen.name)) return [];
  const folderOf = ({ name }: ModelGroup) => name.slice(0, name.lastIndexOf('/') + 1);
  const all = models.filter(({ name, partCount }) => projectorName.test(name) && partCount === 1);
  const near = all.filter((group) => folderOf(group) === folderOf(chosen));
  const candidates = near.length > 0 ? near : all.filter((group) => folderOf(group) === '');
  return chooseUsual(candidates, projectorQuantizations)?.files ?? [];
}

interface ModelGroup {
  /** Path without the number of the part. */
  readonly name: string;
  readonly files: readonly ListedFile[];
  readonly partCount: number;
}

function groupParts(files: readonly ListedFile[]): readonly ModelGroup[] {
  const groups = new Map<string, { name: string; files: ListedFile[]; partCount: number }>();
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const partCount = Number(partName.exec(file.path)?.[2] ?? 1);
    const name = file.path.replace(partName, '');
    const group = groups.get(`${name}\0${partCount}`) ?? { name, files: [], partCount };
    group.files.push(file);
    groups.set(`${name}\0${partCount}`, group);
  }
  return [...groups.values()];
}

function chooseUsual(
  candidates: readonly ModelGroup[],
  quantizations: readonly string[],
): ModelGroup | undefined {
  if (candidates.length === 1) return candidates[0];
  for (const quantization of quantizations) {
    const match = shortest(candidates.filter(({ name }) => hasQuantization(name, quantization)));
    if (match !== undefined) return match;
  }
  return undefined;
}

function chooseNamed(
  models: readonly ModelGroup[],
  candidates: readonly ModelGroup[],
  selector: string,
): ModelGroup | undefined {
  const wanted = selector.toLowerCase();
  const exact = models.filter(({ name, files }) => {
    const path = name.toLowerCase();
    const file = path.slice(path.lastIndexOf('/') + 1);
    const forms = [
      path,
      file,
      file.replace(modelName, ''),
      file.replace(modelName, '').replace(/^ggml-/, ''),
    ];
    return forms.includes(wanted) || files.some((part) => part.path.toLowerCase() === wanted);
  });
  return shortest(exact) ?? shortest(candidates.filter(({ name }) => hasQuantization(name, selector)));
}

/** Whether a path names this quantisation: at the end of the file's name, or as a folder. */
function hasQuantization(path: string, quantization: string): boolean {
  const wanted = quantization.toLowerCase();
  const pieces = path.toLowerCase().replace(modelName, '').split('/');
  const file = pieces.pop() ?? '';
  if (pieces.includes(wanted)) return true;
  return (
    file === wanted || (file.endsWith(wanted) && /[-._]/.test(file.charAt(file.length - wanted.length - 1)))
  );
}

/** The group with the shortest name, which is the plain model: variants have longer names. */
function shortest(groups: readonly ModelGroup[]): ModelGroup | undefined {
  return [...groups].sort((a, b) => a.name.length - b.name.length)[0];
}
