import { readGgufFileInfo } from 'node-llama-cpp';
import { AppError } from '../../../errors/errors.ts';
import { messageOf } from '../../../words/describe-error.ts';
import type { FileModelSpec } from '../../model-backend.ts';
import { LoadRefusedError } from '../../pool/loadable.ts';
import type { CacheMemory } from '../caches/cache-memory.ts';
import type { NativeContext } from '../native/context/context.ts';
import { openProjector, projectorTrouble } from '../native/projector.ts';
import type { AttachmentReader } from '../tokens/prompt-tokens.ts';
import type { MediaFiles } from './media-files.ts';
import { Media } from './media.ts';

/** Kinds that encode a picture by its place in the prompt, while here each picture is prepared by itself. */
const unfitKinds = ['hunyuanvl', 'deepseek4v'];

/** How a model takes attachments. */
export interface OpenedMedia {
  readonly read: AttachmentReader;
  dispose(): Promise<void>;
}

export interface MediaOpening {
  readonly spec: FileModelSpec;
  readonly context: NativeContext;
  /** The projector is computed by a GPU. */
  readonly usesGpu: boolean;
  readonly threads: number;
  readonly memory: CacheMemory;
  readonly files: MediaFiles;
}

/**
 * The pictures and recordings of the model in `context`; undefined where it has no projector. Where this process cannot
 * open projectors, each attachment is refused. Throws LoadRefusedError where the projector is not one of this model, or of
 * a kind that cannot be used.
 */
export async function openMedia(opening: MediaOpening): Promise<OpenedMedia | undefined> {
  const { spec, context, threads, memory, files, usesGpu } = opening;
  if (spec.projectorPath === undefined) return undefined;
  const { stepper } = context;
  const trouble = projectorTrouble();
  if (trouble !== undefined) return refuseMedia(trouble);
  await checkKind(spec.projectorPath);
  const options = { path: spec.projectorPath, threads, usesGpu };
  const projector = await openProjector(stepper, options).catch((error: unknown) => {
    throw new LoadRefusedError(messageOf(error));
  });
  if (projector === undefined) return refuseMedia('it is not loaded');
  const media = new Media({ projector, files, memory, batchTokens: context.batchTokens });
  return {
    read: (attachment, sender, signal) => media.prepare(attachment, sender, signal),
    dispose: () => media.dispose(),
  };
}

async function checkKind(path: string): Promise<void> {
  const { metadata } = await readGgufFileInfo(path, { readTensorInfo: false });
  const { clip } = metadata as { clip?: { projector_type?: string; vision?: { projector_type?: string } } };
  const kind = clip?.vision?.projector_type ?? clip?.projector_type;
  if (kind !== undefined && unfitKinds.includes(kind))
    throw new LoadRefusedError(`projectors of the kind ${kind} cannot be used yet`);
}

/** Attachments are refused: `trouble` says why. */
export function refuseMedia(trouble: string): OpenedMedia {
  return {
    read: () => {
      throw new AppError(
        'model_unavailable',
        `Pictures and recordings cannot be read here, because an addon of the server is missing or does not load ` +
          `(${trouble}). On the server, 'hearth doctor' says what to do. Texts alone work.`,
      );
    },
    dispose: () => Promise.resolve(),
  };
}
