/** The name of a measure in the API, as messages, tables and the page write it: `audio seconds` for `audio_seconds`. */
export const inWords = (name: string): string => name.replaceAll('_', ' ');

/** An amount of a measure: `1 request`, `90 audio seconds`. */
export const amountInWords = (amount: number, name: string): string =>
  `${amount} ${inWords(amount === 1 ? name.slice(0, -1) : name)}`;
