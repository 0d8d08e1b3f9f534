import type { Attachment } from '../types.ts';

/** The texts before, between and behind the attachments of a message: one more than these. */
export function textsAround(content: string, attachments: readonly Attachment[]): string[] {
  const cuts = [0, ...attachments.map(({ offset }) => offset), content.length];
  return cuts.slice(1).map((end, index) => content.slice(cuts[index], end));
}
