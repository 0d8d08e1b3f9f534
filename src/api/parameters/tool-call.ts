import type { ToolCall } from '../../engine/types.ts';

/** An earlier call as the engine takes it. Lone surrogates, which no UTF-8 can hold, become U+FFFD. */
export function toToolCall(id: string, name: string, text: string): ToolCall {
  return {
    id: id.toWellFormed(),
    name: name.toWellFormed(),
    // What some clients make of a call without arguments.
    arguments: text.trim() === '' ? '{}' : text.toWellFormed(),
  };
}
