import { AppError, invalidValue } from '../../../errors/errors.ts';
import { invalid } from '../../request/validate.ts';
import { maxItems, type Item, type KeptItem, type OutputItem } from '../items/items.ts';
import type { ResponseItemRow, ResponseItemSide, ResponseRow } from '../../../store/tables/response-table.ts';
import type { ResponseParameters } from '../schema.ts';
import type { ResponseObject } from '../response-schema.ts';
import { toWireTools } from '../tools/tools.ts';

export function fromKeptResponse({ json }: ResponseRow, output: readonly ResponseItemRow[]): ResponseObject {
  const response = JSON.parse(json) as ResponseObject;
  return { ...response, output: output.map(fromKeptItem) as ResponseObject['output'] };
}

/** The JSON under which a response is stored. Its output is stored separately. */
export function toKeptJson(response: ResponseObject): string {
  return JSON.stringify({ ...response, output: [] });
}

export function fromKeptItem({ json }: ResponseItemRow): KeptItem {
  return JSON.parse(json) as KeptItem;
}

export function toKeptItem(item: KeptItem | OutputItem): ResponseItemRow {
  const hasTools = item.type === 'additional_tools' || item.type === 'tool_search_output';
  const kept = hasTools ? { ...item, tools: toWireTools(item.tools) } : item;
  return { id: item.id, json: JSON.stringify(kept) };
}

export interface ItemSource {
  /** Most bytes that one request may load. */
  readonly maxBytes: number;
  findResponse(id: string): ResponseRow | undefined;
  items(responseId: string, side: ResponseItemSide): readonly ResponseItemRow[];
  findItem(id: string): ResponseItemRow | undefined;
}

export interface LoadedItems {
  /** Input and output of all responses that the request continues, oldest first. */
  readonly history: readonly Item[];
  /** The items of the request itself. */
  readonly input: readonly Item[];
}

const unknownItem =
  'is the id of no item that is kept here. Send the item itself, or create the responses with "store": true that later ones refer to';

/** The conversation of a request with all that it refers to. Throws AppError: something is gone, or it is too large. */
export function loadItems(
  source: ItemSource,
  { input, previous_response_id: previousId }: Pick<ResponseParameters, 'input' | 'previous_response_id'>,
): LoadedItems {
  const spend = budgetOf(source.maxBytes);
  const history = previousId === undefined ? [] : loadChain(source, previousId, spend);
  const items = input.map((item, index): Item => {
    if (item.type !== 'item_reference') return item;
    const kept = source.findItem(item.id);
    if (kept === undefined) throw invalid(['input', index, 'id'], unknownItem, 'not_found');
    spend(1, Buffer.byteLength(kept.json), 'input');
    return fromKeptItem(kept);
  });
  return { history, input: items };
}

function loadChain(source: ItemSource, previousId: string, spend: Spend): readonly Item[] {
  const newestFirst: Item[][] = [];
  for (let id: string | null = previousId; id !== null;) {
    const response: ResponseRow | undefined = source.findResponse(id);
    if (response === undefined) throw notFound(id === previousId);
    // Checked before the items are read, so that too many never come into memory.
    spend(response.itemCount, response.itemBytes, 'previous_response_id');
    newestFirst.push([...source.items(id, 'input'), ...source.items(id, 'output')].map(fromKeptItem));
    id = response.previousId;
  }
  return newestFirst.reverse().flat();
}

type Spend = (items: number, bytes: number, param: string) => void;

/** Limits the items that one request may load from the store to about as much as it could have sent itself. */
function budgetOf(maxBytes: number): Spend {
  let [itemsLeft, bytesLeft] = [maxItems, maxBytes];
  return (items, bytes, param) => {
    itemsLeft -= items;
    bytesLeft -= bytes;
    if (itemsLeft >= 0 && bytesLeft >= 0) return;
    throw invalidValue(
      param,
      `'${param}' refers to more than ${maxItems} items, or to more bytes than a request may have. Start a new conversation with what still matters.`,
    );
  };
}

function notFound(isPrevious: boolean): AppError {
  const param = 'previous_response_id';
  return new AppError(
    'previous_response_not_found',
    isPrevious
      ? `'${param}' is the id of no response that is kept here. Only responses to requests with "store": true are kept: send that with every request that is to be continued, or send the whole conversation as 'input'.`
      : `The response before '${param}' was deleted or has expired, and with it the conversation's beginning. Send the whole conversation as 'input'.`,
    { param },
  );
}
