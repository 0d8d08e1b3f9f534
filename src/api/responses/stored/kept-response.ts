import type { Item, OutputItem } from '../items/items.ts';
import type { ResponseObject } from '../response-schema.ts';
import { toWireTools } from '../tools/tools.ts';
import type { KeptItem, KeptResponse } from './response-store.ts';

/** The response object that the client got. */
export function fromKeptResponse({ json }: KeptResponse, output: readonly KeptItem[]): ResponseObject {
  const response = JSON.parse(json) as ResponseObject;
  return { ...response, output: output.map(fromKeptItem) as ResponseObject['output'] };
}

/** The JSON under which a response is stored. Its output is stored separately. */
export function toKeptJson(response: ResponseObject): string {
  return JSON.stringify({ ...response, output: [] });
}

export function fromKeptItem({ json }: KeptItem): Item {
  return JSON.parse(json) as Item;
}

export function toKeptItem(item: Item | OutputItem): KeptItem {
  const kept = 'tools' in item ? { ...item, tools: toWireTools(item.tools) } : item;
  return { id: item.id, json: JSON.stringify(kept) };
}
