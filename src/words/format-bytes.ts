const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size of a file, of a disk or of memory for people, in powers of 1000 throughout: `639 MB`, `4.9 GB`. */
export function formatBytes(bytes: number): string {
  let scaled = bytes;
  let unit = 0;
  while (unit < units.length - 1 && scaled >= 999.5) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled >= 10 || unit === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${units[unit]}`;
}
