import { z } from 'zod';
import { UploadedFile } from './uploaded-file.ts';

/** The file of a form. */
export const filePart = (description: string) =>
  z
    .custom<UploadedFile>((value) => value instanceof UploadedFile, {
      error: 'must be a file: send it as a part with a file name',
      params: { code: 'invalid_type' },
    })
    .meta({ type: 'string', format: 'binary', description });
