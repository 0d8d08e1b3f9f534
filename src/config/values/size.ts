const unitBytes = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
} as const satisfies Record<string, number>;

function isUnit(text: string): text is keyof typeof unitBytes {
  return Object.hasOwn(unitBytes, text);
}

/** Below this, a number without a unit is a mistake: `memory: 12` means gigabytes. */
const leastBare = 1e6;

/** Bytes of `4MiB`, `25 MB` or a plain number of a million and more. Throws RangeError with a public message. */
export function parseSizeBytes(value: string | number): number {
  const text = String(value).trim();
  const match = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text);
  const unit = (match?.[2] || 'B').toUpperCase();
  const bytes = isUnit(unit) ? Math.round(Number(match?.[1]) * unitBytes[unit]) : Number.NaN;
  if (match?.[2] === '' && bytes >= 1 && bytes < leastBare)
    throw new RangeError(`${text} without a unit would be ${text} bytes; write ${text}MiB or ${text}GiB`);
  if (!Number.isSafeInteger(bytes) || bytes < 1) {
    throw new RangeError(`"${text}" is not a size; write it like 512KiB, 4MiB or 8GiB`);
  }
  return bytes;
}
