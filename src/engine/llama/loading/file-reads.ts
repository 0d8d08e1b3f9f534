import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Bytes that are read at a time. They are parsed in one turn of the event loop, which takes about 20 ms. */
const readBytes = 256 * 1024;

/** node-llama-cpp's reader of GGUF files. It keeps what it has read, and appends to it what the parser asks for. */
interface FileReader {
  readonly prototype: {
    _readToExpandBufferUpToOffset?: (endOffset: number, extraBytes?: number) => Promise<void>;
  };
}

let done: Promise<boolean> | undefined;

/**
 * Has node-llama-cpp read GGUF files in small parts from now on. It reads 1.5 MB at a time, so a vocabulary of 150,000
 * tokens held up all streams of this process for 100 to 250 ms, twice per load. False where its reader is not as
 * expected, and nothing was changed.
 */
export const readFilesInSmallParts = (): Promise<boolean> => (done ??= changeReader());

async function changeReader(): Promise<boolean> {
  const main = createRequire(import.meta.url).resolve('node-llama-cpp');
  const file = new URL('gguf/fileReaders/GgufFsFileReader.js', pathToFileURL(main));
  try {
    const { prototype } = ((await import(file.href)) as { GgufFsFileReader: FileReader }).GgufFsFileReader;
    const read = prototype._readToExpandBufferUpToOffset;
    if (read === undefined) return false;
    prototype._readToExpandBufferUpToOffset = function (endOffset, extraBytes = readBytes) {
      return read.call(this, endOffset, extraBytes);
    };
    return true;
  } catch {
    return false;
  }
}
