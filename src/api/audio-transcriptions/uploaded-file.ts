import path from 'node:path';

/** A file that came with a request. */
export class UploadedFile {
  /** Where it is; the name there has nothing of the sender's in it. */
  readonly path: string;
  /** Of the sender's name: lower case, without the dot; '' where there is none. */
  readonly extension: string;

  constructor(filePath: string, filename: string) {
    this.path = filePath;
    this.extension = path.extname(filename).slice(1).toLowerCase();
  }
}
