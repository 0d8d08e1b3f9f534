import type { EmbeddingRequest } from '../../types.ts';
import { invalidAnswer } from '../failures.ts';
import { fieldsOf, listOf, type Fields } from './json.ts';

/** The body of a request for vectors. Base64 is a third of the size of numbers, and parsed in no time. */
export function toEmbeddingBody(
  { inputs, dimensions }: Pick<EmbeddingRequest, 'inputs' | 'dimensions'>,
  model: string,
): Fields {
  return { model, input: inputs, encoding_format: 'base64', ...(dimensions !== undefined && { dimensions }) };
}

/** A vector of length 1 for each of `count` inputs. Throws AddressFailure. */
export function readVectors(answer: Fields, count: number): readonly Float32Array[] {
  const data = listOf(answer['data'], 'data').map((entry) => fieldsOf(entry) ?? {});
  if (data.length !== count) throw invalidAnswer(`it has ${data.length} vectors for ${count} inputs`);
  const vectors = Array.from<Float32Array | undefined>({ length: count });
  for (const [position, { index, embedding }] of data.entries()) {
    const place = Number(index ?? position);
    if (!Number.isInteger(place) || place < 0 || place >= count) throw invalidAnswer('a vector has no index');
    vectors[place] = toVector(embedding);
  }
  const [first] = vectors;
  return vectors.map((vector) => {
    if (vector === undefined || vector.length !== first?.length)
      throw invalidAnswer('a vector is missing or has another length');
    return vector;
  });
}

function toVector(embedding: unknown): Float32Array {
  const vector =
    typeof embedding === 'string'
      ? fromBase64(embedding)
      : Float32Array.from(listOf(embedding, 'embedding'), numberOf);
  let sum = 0;
  for (const number of vector) sum += number * number;
  if (vector.length === 0 || !Number.isFinite(sum) || sum === 0)
    throw invalidAnswer('a vector has no direction');
  const scale = 1 / Math.sqrt(sum);
  // A vector of length 1 stays bit for bit as the upstream computed it.
  return Math.abs(sum - 1) < 1e-5 ? vector : vector.map((number) => number * scale);
}

/** NaN for any other value: `null` would be a zero, and the vector another one. */
const numberOf = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length % 4 > 0) throw invalidAnswer('a vector is cut off');
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
