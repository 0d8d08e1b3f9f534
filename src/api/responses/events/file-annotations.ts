import type { z } from 'zod';
import { inSlices, QuoteFinder } from '../../../documents/quotes/quote-finder.ts';
import type { QuoteIndex } from '../../../documents/quotes/quote-index.ts';
import type { fileCitation } from '../items/content.ts';

type FileCitation = z.output<typeof fileCitation>;

/** The texts that an answer may quote, and the file in which each stands. */
export type FileQuotes = QuoteIndex<Pick<FileCitation, 'file_id' | 'filename'>>;

/** The annotations of a text that is being written. */
export class FileAnnotations {
  readonly #found: FileCitation[] = [];
  readonly #finder: QuoteFinder<Pick<FileCitation, 'file_id' | 'filename'>> | undefined;
  #chars = 0;

  constructor(quotes: FileQuotes) {
    this.#finder = quotes.isEmpty ? undefined : new QuoteFinder(quotes);
  }

  add(text: string): void {
    this.#note(this.#finder?.add(text));
  }

  end(): FileCitation[] {
    this.#note(this.#finder?.end());
    return this.#found;
  }

  #note(pieces: ReturnType<QuoteFinder<Pick<FileCitation, 'file_id' | 'filename'>>['add']> = []): void {
    for (const piece of pieces)
      if ('citation' in piece)
        this.#found.push({ type: 'file_citation', ...piece.citation, index: this.#chars });
      else this.#chars += piece.text.length;
  }
}

/** The annotations of a whole text. */
export async function annotate(text: string, quotes: FileQuotes): Promise<FileCitation[]> {
  const annotations = new FileAnnotations(quotes);
  if (!quotes.isEmpty) for await (const slice of inSlices(text)) annotations.add(slice);
  return annotations.end();
}
