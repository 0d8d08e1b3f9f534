import path from 'node:path';
import { z } from 'zod';

export class UploadedFile {
  /** Where it is on the disk, under a name that contains nothing from the sender. */
  readonly path: string;
  /** The extension of the sender's file name, in lower case and without the dot; '' if there is none. */
  readonly extension: string;
  readonly name: string;

  constructor(filePath: string, filename: string) {
    this.path = filePath;
    this.name = filename;
    this.extension = path.extname(filename).slice(1).toLowerCase();
  }
}

export const filePart = (description: string) =>
  z
    .custom<UploadedFile>((value) => value instanceof UploadedFile, {
      error: 'must be a file: send it as a part with a file name',
      params: { code: 'invalid_type' },
    })
    .meta({ type: 'string', format: 'binary', description });
