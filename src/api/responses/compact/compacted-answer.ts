import type { GenerationEvent } from '../../../engine/generation.ts';
import { AppError } from '../../../errors/errors.ts';
import type { FinishedEnd, WholeAnswer } from '../../generation/serve-generation.ts';
import { createWireId } from '../../generation/wire/wire-id.ts';
import { toWireUsage } from '../events/response-events.ts';
import type { Item, ItemOf } from '../items/items.ts';
import { packText } from '../items/packed-text.ts';
import type { CompactedResponse } from './schema.ts';

/** A conversation that is being compacted: what users said, and the model's summary of everything. */
export class CompactedAnswer implements WholeAnswer<GenerationEvent, FinishedEnd> {
  readonly #items: readonly Item[];
  readonly #atSeconds: number;
  #summary = '';

  constructor(items: readonly Item[], atSeconds: number) {
    this.#items = items;
    this.#atSeconds = atSeconds;
  }

  add(event: GenerationEvent): void {
    if (event.type === 'text') this.#summary += event.text;
  }

  /** Throws engine_error if there is no summary: to go on without it would lose the conversation. */
  body({ usage }: FinishedEnd): CompactedResponse {
    const summary = this.#summary.trim();
    if (summary === '')
      throw new AppError('engine_error', 'The model wrote no summary. Try again, or use another model.');
    return {
      id: createWireId('resp'),
      object: 'response.compaction',
      created_at: this.#atSeconds,
      output: [
        ...this.#items.filter(isOfUser),
        { type: 'compaction', id: createWireId('cmp'), encrypted_content: packText('summary', summary) },
      ],
      usage: toWireUsage(usage),
    };
  }
}

const isOfUser = (item: Item): item is ItemOf<'message'> => item.type === 'message' && item.role === 'user';
