import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { resolvePath } from '../../config/paths.ts';
import { DocumentReader, mostDocumentBytes } from '../../documents/document-reader.ts';
import { namedText, picturedText } from '../../documents/document-text.ts';
import { AppError } from '../../errors/errors.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { createLog } from '../../telemetry/log.ts';
import { errorCodeOf } from '../../words/describe-error.ts';

/** A document as models read it: its text, the pictures of its pages where it has none, and a description. Throws CliError. */
export async function openDocument(name: string): Promise<{
  readonly text: string;
  readonly pictures: readonly Uint8Array[];
  readonly description: string;
}> {
  const path = resolvePath(name, process.cwd(), homedir());
  const reader = new DocumentReader(createLog({ level: 'silent' }));
  try {
    if (statSync(path).size > mostDocumentBytes)
      throw new CliError(`${path} has more than ${mostDocumentBytes / 2 ** 20} MiB`);
    const given = { bytes: readFileSync(path), keyId: '', param: basename(path) };
    const { kind, parts, text, pictures = [] } = await reader.read(given, new AbortController().signal);
    if (pictures.length > 0)
      return {
        text: picturedText(basename(path)),
        pictures,
        description: `${kind}, ${pictures.length} pages that are pictures`,
      };
    const counted = parts.length > 1 ? `${parts.length} parts, ` : '';
    return {
      text: namedText(basename(path), text),
      pictures,
      description: `${kind}, ${counted}${text.length.toLocaleString('en')} characters`,
    };
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (error instanceof AppError) throw new CliError(error.message.replace(/\.$/, ''));
    throw new CliError(`${path} cannot be read (${errorCodeOf(error) ?? String(error)})`);
  } finally {
    await reader.close();
  }
}
