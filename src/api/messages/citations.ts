import { z } from 'zod';
import { partsOf } from '../../documents/document-text.ts';
import { textBetween, type QuoteIndex } from '../../documents/quotes/quote-index.ts';
import type { OpenedDocument } from '../env.ts';
import { count } from '../generation/wire/completion-schema.ts';
import type { ShownBlock } from './schema.ts';

const ofBlocks = { start_block_index: count, end_block_index: count };
const ofDocument = {
  cited_text: z.string(),
  document_index: count.describe('Among all documents of the request.'),
  document_title: z.string().nullable(),
  file_id: z.string().nullable(),
};
const page = z.int().min(1);

/** Ends are behind the place that they name; pages count from 1, all else from 0. */
export const textCitation = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('page_location'),
    ...ofDocument,
    start_page_number: page,
    end_page_number: page,
  }),
  z.strictObject({
    type: z.literal('char_location'),
    ...ofDocument,
    start_char_index: count,
    end_char_index: count,
  }),
  z.strictObject({ type: z.literal('content_block_location'), ...ofDocument, ...ofBlocks }),
  z.strictObject({
    type: z.literal('search_result_location'),
    cited_text: z.string(),
    search_result_index: count.describe('Among all search results of the request.'),
    source: z.string(),
    title: z.string().nullable(),
    ...ofBlocks,
  }),
]);
export type TextCitation = z.output<typeof textCitation>;

type CitableBlock = Extract<ShownBlock, { type: 'document' | 'search_result' }>;

/** Collects the documents and search results of a request, of which answers may cite those that ask for it. */
export class CitableBlocks {
  readonly #quotes: QuoteIndex<TextCitation>;
  readonly #counts = { document: 0, search_result: 0 };

  constructor(quotes: QuoteIndex<TextCitation>) {
    this.#quotes = quotes;
  }

  /** Called with every block in its order; `read` is the document that came as a file. True: it may be cited. */
  add(block: CitableBlock, read: OpenedDocument | undefined): boolean {
    const index = this.#counts[block.type]++;
    if (block.citations?.enabled !== true) return false;
    const title = read?.name ?? block.title ?? null;
    const head = { document_index: index, document_title: title, file_id: read?.fileId ?? null };
    const parts = quotableTexts(block, read);
    this.#quotes.add(parts, (place): TextCitation => {
      const { first, start, last, end } = place;
      const text = textBetween(parts, place);
      // Blocks are cited as a whole.
      const whole = parts.slice(first, last + 1).join('');
      const blocks = { cited_text: whole, start_block_index: first, end_block_index: last + 1 };
      if (block.type === 'search_result') {
        const result = { search_result_index: index, source: block.source, title };
        return { type: 'search_result_location', ...result, ...blocks };
      }
      if (block.source.type === 'content') return { type: 'content_block_location', ...head, ...blocks };
      const pages = { start_page_number: first + 1, end_page_number: last + 2 };
      if (read?.kind === 'pdf') return { type: 'page_location', cited_text: text, ...head, ...pages };
      const chars = { start_char_index: start, end_char_index: end };
      return { type: 'char_location', cited_text: text, ...head, ...chars };
    });
    return true;
  }
}

function quotableTexts(block: CitableBlock, read: OpenedDocument | undefined): readonly string[] {
  if (read === undefined) return textsIn(block);
  return read.kind === 'pdf' ? partsOf(read) : [read.text];
}

/** The texts of a block. Files are texts by now. */
export function textsIn(block: CitableBlock): readonly string[] {
  const source = block.type === 'document' ? block.source : ({ ...block, type: 'content' } as const);
  if (source.type === 'text') return [source.data];
  const content = source.type === 'content' ? source.content : [];
  return typeof content === 'string' ? [content] : content.map(({ text }) => text);
}
