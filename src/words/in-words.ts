/** The name of a measure in the API, as messages, tables and the page write it: `audio seconds` for `audio_seconds`. */
export const inWords = (name: string): string => name.replaceAll('_', ' ');
