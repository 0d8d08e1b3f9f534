import { readdirSync } from 'node:fs';
import { errorCodeOf } from '../../words/describe-error.ts';
import { inspectModelFile } from '../../catalog/files/model-file.ts';
import { scanFolder } from '../../catalog/scan-folder.ts';
import { packageModelsDir } from '../../config/paths.ts';
import type { Config } from '../../config/types.ts';

/** A models folder that was configured and from which nothing is served. */
export interface FolderProblem {
  readonly folder: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Problems of the models folders from flags, environment and file; hearth's own folders may be empty. */
export function folderProblems({ modelsDirs, pulledModelsDir }: Config): FolderProblem[] {
  return modelsDirs
    .filter((folder) => folder !== pulledModelsDir && folder !== packageModelsDir)
    .map((folder) => ({ folder, ...problemOf(folder) }))
    .filter((found): found is FolderProblem => 'problem' in found);
}

function problemOf(folder: string): Omit<FolderProblem, 'folder'> | undefined {
  try {
    readdirSync(folder);
  } catch (error) {
    const code = errorCodeOf(error) ?? String(error);
    if (code === 'ENOENT') return { problem: 'it does not exist', remedy: 'make it, or correct its name' };
    if (code === 'ENOTDIR')
      return { problem: 'it is no folder', remedy: 'name the folder that the file is in' };
    return { problem: `it cannot be read (${code})`, remedy: 'give hearth the right to read it' };
  }
  if (scanFolder(folder).some(({ path }) => inspectModelFile(path).outcome === 'model')) return undefined;
  return {
    problem: 'there is no model in it',
    remedy: 'put GGUF files into it, or speech models of whisper.cpp (ggml-*.bin)',
  };
}
