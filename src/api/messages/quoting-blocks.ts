import type { AnswerBlock, AnswerEvent, TextBlock } from '../../engine/generation/generation.ts';
import { inSlices, QuoteFinder, type QuotePiece } from '../../documents/quotes/quote-finder.ts';
import type { QuoteIndex } from '../../documents/quotes/quote-index.ts';
import type { TextCitation } from './citations.ts';

/** A block of an answer; a quote is a block by itself. */
export type QuotingBlock = AnswerBlock & { citation?: TextCitation };

/** The events of an answer in which each quote is a block by itself. */
export class QuotingBlocks {
  readonly blocks: QuotingBlock[] = [];
  readonly #quotes: QuoteIndex<TextCitation>;
  #finder: QuoteFinder<TextCitation> | undefined;
  /** The text that is open, and whether it is a quote. */
  #open: { readonly block: TextBlock & QuotingBlock; readonly isQuote: boolean } | undefined;

  constructor(quotes: QuoteIndex<TextCitation>) {
    this.#quotes = quotes;
  }

  add(event: AnswerEvent): AnswerEvent[] {
    if (this.#quotes.isEmpty || !('block' in event) || event.block.type !== 'text') {
      if (event.type === 'open') this.blocks.push(event.block);
      return [event];
    }
    this.#finder ??= new QuoteFinder(this.#quotes);
    if (event.type === 'open') return [];
    if (event.type === 'delta') return this.#finder.add(event.text).flatMap((piece) => this.#grow(piece));
    const last = this.#finder.end().flatMap((piece) => this.#grow(piece));
    this.#finder = undefined;
    return [...last, ...this.#close(event.block.isCutOff)];
  }

  #grow(piece: QuotePiece<TextCitation>): AnswerEvent[] {
    if ('citation' in piece) {
      if (this.#open !== undefined) this.#open.block.citation = piece.citation;
      return this.#close(false);
    }
    const { text, isQuote } = piece;
    const opened = this.#open?.isQuote === isQuote ? [] : [...this.#close(false), ...this.#begin(isQuote)];
    const block = this.#open?.block;
    if (block === undefined) return opened;
    block.text += text;
    return [...opened, { type: 'delta', block, text, logprobs: [] }];
  }

  #begin(isQuote: boolean): AnswerEvent[] {
    const block: TextBlock = { type: 'text', text: '', logprobs: [], isCutOff: false };
    this.#open = { block, isQuote };
    this.blocks.push(block);
    return [{ type: 'open', block }];
  }

  #close(isCutOff: boolean): AnswerEvent[] {
    if (this.#open === undefined) return [];
    const { block } = this.#open;
    this.#open = undefined;
    block.isCutOff = isCutOff;
    return [{ type: 'close', block }];
  }
}

/** The same blocks of an answer that is whole; other work gets its turn meanwhile. */
export async function quotingBlocks(
  blocks: readonly AnswerBlock[],
  quotes: QuoteIndex<TextCitation>,
): Promise<readonly QuotingBlock[]> {
  if (quotes.isEmpty) return blocks;
  const split = new QuotingBlocks(quotes);
  for (const block of blocks) {
    split.add({ type: 'open', block });
    for await (const text of inSlices(block.text)) split.add({ type: 'delta', block, text, logprobs: [] });
    split.add({ type: 'close', block });
  }
  return split.blocks;
}
