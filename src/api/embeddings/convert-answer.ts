import type { Usage } from '../../engine/generation.ts';

export type EncodingFormat = 'float' | 'base64';

/** Numbers to write before other work gets its turn: one answer can have millions. */
const busyNumbers = 65_536;

/** The JSON text of embeddings. */
export async function toEmbeddingList(
  model: string,
  vectors: readonly Float32Array[],
  format: EncodingFormat,
  { promptTokens }: Usage,
): Promise<string> {
  const data: string[] = [];
  let numbers = 0;
  for (const [index, vector] of vectors.entries()) {
    const embedding = format === 'base64' ? toBase64(vector) : [...vector];
    data.push(JSON.stringify({ object: 'embedding', index, embedding }));
    numbers += vector.length;
    if (numbers < busyNumbers) continue;
    numbers = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const rest = { model, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } };
  return `{"object":"list","data":[${data.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** The base64 of the numbers as little-endian 32-bit floats, the byte order of every machine that Node runs on. */
function toBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
