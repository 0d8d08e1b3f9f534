import type { LiveCatalog } from '../../catalog/catalog.ts';
import { packageModelsDir } from '../../config/paths.ts';
import type { Config } from '../../config/types.ts';

/** A models folder that was configured and from which nothing is served. */
export interface FolderProblem {
  readonly folder: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Problems of the models folders from flags, environment and file; hearth's own folders may be empty. */
export const folderProblems = (
  catalog: LiveCatalog,
  { pulledModelsDir }: Pick<Config, 'pulledModelsDir'>,
): FolderProblem[] =>
  catalog
    .emptyFolders()
    .filter(({ folder }) => folder !== pulledModelsDir && folder !== packageModelsDir)
    .map(({ folder, errorCode }) => ({ folder, ...problemOf(errorCode) }));

function problemOf(code: string | undefined): Omit<FolderProblem, 'folder'> {
  switch (code) {
    case 'ENOENT':
      return { problem: 'it does not exist', remedy: 'make it, or correct its name' };
    case 'ENOTDIR':
      return { problem: 'it is no folder', remedy: 'name the folder that the file is in' };
    case undefined:
      return {
        problem: 'there is no model in it',
        remedy: 'put GGUF files into it, or speech models of whisper.cpp (ggml-*.bin)',
      };
    default:
      return { problem: `it cannot be read (${code})`, remedy: 'give hearth the right to read it' };
  }
}
