import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolvePath } from '../../config/paths.ts';
import { PictureError, pictureLimits } from '../../engine/pictures/header/picture-header.ts';
import { readPictureHeader } from '../../engine/pictures/header/read-header.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { errorCodeOf } from '../../words/describe-error.ts';

/** The picture in the file `name`, and what it is in words. Throws CliError. */
export function openPicture(name: string): { readonly file: Uint8Array; readonly description: string } {
  const path = resolvePath(name, process.cwd(), homedir());
  try {
    // A file that is far too large is not read at all.
    if (statSync(path).size > pictureLimits.fileBytes)
      throw new PictureError(`The picture is larger than ${pictureLimits.fileBytes / 2 ** 20} MiB`);
    const file = readFileSync(path);
    const { format, widthPixels, heightPixels } = readPictureHeader(file);
    return { file, description: `${format}, ${widthPixels} × ${heightPixels} pixels` };
  } catch (error) {
    if (error instanceof PictureError) throw new CliError(`${path} is refused: ${error.message}`);
    throw new CliError(`${path} cannot be read (${errorCodeOf(error) ?? String(error)})`);
  }
}
