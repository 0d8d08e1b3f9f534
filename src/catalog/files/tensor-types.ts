/** Elements per block and bytes per block of the tensor types of ggml, by number (ggml/src/ggml.c). */
const blockSizes: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4], // F32
  1: [1, 2], // F16
  2: [32, 18], // Q4_0
  3: [32, 20], // Q4_1
  6: [32, 22], // Q5_0
  7: [32, 24], // Q5_1
  8: [32, 34], // Q8_0
  9: [32, 36], // Q8_1
  10: [256, 84], // Q2_K
  11: [256, 110], // Q3_K
  12: [256, 144], // Q4_K
  13: [256, 176], // Q5_K
  14: [256, 210], // Q6_K
  15: [256, 292], // Q8_K
  16: [256, 66], // IQ2_XXS
  17: [256, 74], // IQ2_XS
  18: [256, 98], // IQ3_XXS
  19: [256, 50], // IQ1_S
  20: [32, 18], // IQ4_NL
  21: [256, 110], // IQ3_S
  22: [256, 82], // IQ2_S
  23: [256, 136], // IQ4_XS
  24: [1, 1], // I8
  25: [1, 2], // I16
  26: [1, 4], // I32
  27: [1, 8], // I64
  28: [1, 8], // F64
  29: [256, 56], // IQ1_M
  30: [1, 2], // BF16
  34: [256, 54], // TQ1_0
  35: [256, 66], // TQ2_0
  39: [32, 17], // MXFP4
};

/** Bytes that a tensor takes in a file; undefined for a type that is not known here. */
export function tensorSizeBytes(type: number, elementCount: number): number | undefined {
  const block = blockSizes[type];
  if (block === undefined) return undefined;
  return Math.ceil(elementCount / block[0]) * block[1];
}

/** The names of types in the order of their numbers; a number that is not in use has a dash. */
const inOrder = (names: string): readonly (string | undefined)[] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => (name === '-' ? undefined : name));

/** Names of GGUF's `general.file_type`, by number (llama_ftype in llama.h), ten in a row. */
export const ggufFileTypes = inOrder(`
  F32     F16     Q4_0    Q4_1    -       -       -       Q8_0    Q5_0    Q5_1
  Q2_K    Q3_K_S  Q3_K_M  Q3_K_L  Q4_K_S  Q4_K_M  Q5_K_S  Q5_K_M  Q6_K    IQ2_XXS
  IQ2_XS  Q2_K_S  IQ3_XS  IQ3_XXS IQ1_S   IQ4_NL  IQ3_S   IQ3_M   IQ2_S   IQ2_M
  IQ4_XS  IQ1_M   BF16    -       -       -       TQ1_0   TQ2_0   MXFP4   NVFP4
`);

/** Names of the `ftype` of whisper's ggml files, by number (ggml_ftype in ggml.h). */
export const whisperFileTypes = inOrder('F32 F16 Q4_0 Q4_1 - - - Q8_0 Q5_0 Q5_1 Q2_K Q3_K Q4_K Q5_K Q6_K');
