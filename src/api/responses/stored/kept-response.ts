import type { KeptItem, OutputItem } from '../items/items.ts';
import type { ResponseObject } from '../response-schema.ts';
import { toWireTools } from '../tools/tools.ts';
import type { ResponseItemRow, ResponseRow } from '../../../store/tables/response-table.ts';

/** The response object that the client got. */
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
