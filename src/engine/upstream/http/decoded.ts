import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';

/** An answer of an upstream, of which readers count the bytes as they come out here. */
export type UpstreamResponse = Readable & Pick<IncomingMessage, 'statusCode' | 'headers'>;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The answer without its encoding: some servers and proxies compress although nobody asked them to. */
export function decoded(response: IncomingMessage): UpstreamResponse {
  const { statusCode, headers } = response;
  const decoder = decoders[headers['content-encoding']?.trim().toLowerCase() ?? '']?.();
  if (decoder === undefined) return response;
  // Whoever reads sees the error of either, and closes both.
  return Object.assign(
    pipeline(response, decoder, () => undefined),
    { statusCode, headers },
  );
}
