/** The name of a measure in the API, as messages, tables and the page write it: `audio seconds` for `audio_seconds`. */
export const inWords = (name: string): string => name.replaceAll('_', ' ');

/** The name of a measure behind an amount of it: `request` for 1, `audio seconds` for 90. */
export const measureInWords = (amount: number, name: string): string =>
  inWords(amount === 1 ? name.slice(0, -1) : name);
