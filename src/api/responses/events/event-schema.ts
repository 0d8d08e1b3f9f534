import { z } from 'zod';
import { outputToken } from '../../generation/wire/completion-schema.ts';
import { promptProgress } from '../../generation/wire/prompt-progress.ts';
import { namedUnionBy } from '../../openapi/json-schema.ts';
import { fileCitation, outputText } from '../items/content.ts';
import { outputItem, reasoningText, summaryText } from '../items/items.ts';
import { response } from '../response-schema.ts';

const index = z.int().min(0);

/** An event with its type, its number, which counts from 0 without gaps, and the fields of `shape`. */
function event<Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), sequence_number: index, ...shape });
}

const ofItem = { item_id: z.string().min(1), output_index: index };
const ofPart = { ...ofItem, content_index: index };
const ofSummary = { ...ofItem, summary_index: index };
const part = z.discriminatedUnion('type', [outputText, reasoningText]);
const logprobs = z.array(outputToken);

const errorFields = { message: z.string(), code: z.string(), param: z.string().nullable() };

export const responseEvent = namedUnionBy('ResponseEvent', 'type', [
  event('response.created', { response }),
  event('response.in_progress', {
    response,
    progress: z.number().min(0).max(1).optional().describe('The share of `prompt_progress`.'),
    prompt_progress: promptProgress,
  }),
  event('response.completed', { response }),
  event('response.incomplete', { response }),
  event('response.failed', { response }),
  event('response.output_item.added', { output_index: index, item: outputItem }),
  event('response.output_item.done', { output_index: index, item: outputItem }),
  event('response.content_part.added', { ...ofPart, part }),
  event('response.content_part.done', { ...ofPart, part }),
  event('response.output_text.delta', { ...ofPart, delta: z.string(), logprobs }),
  event('response.output_text.done', { ...ofPart, text: z.string(), logprobs }),
  event('response.output_text.annotation.added', {
    ...ofPart,
    annotation_index: index,
    annotation: fileCitation,
  }),
  event('response.reasoning_text.delta', { ...ofPart, delta: z.string() }),
  event('response.reasoning_text.done', { ...ofPart, text: z.string() }),
  event('response.reasoning_summary_part.added', { ...ofSummary, part: summaryText }),
  event('response.reasoning_summary_part.done', { ...ofSummary, part: summaryText }),
  event('response.reasoning_summary_text.delta', { ...ofSummary, delta: z.string() }),
  event('response.reasoning_summary_text.done', { ...ofSummary, text: z.string() }),
  event('response.function_call_arguments.delta', { ...ofItem, delta: z.string() }),
  event('response.function_call_arguments.done', { ...ofItem, name: z.string(), arguments: z.string() }),
  event('response.custom_tool_call_input.delta', { ...ofItem, delta: z.string() }),
  event('response.custom_tool_call_input.done', { ...ofItem, input: z.string() }),
  event('response.mcp_list_tools.in_progress', ofItem),
  event('response.mcp_list_tools.completed', ofItem),
  event('response.mcp_list_tools.failed', ofItem),
  event('response.mcp_call.in_progress', ofItem),
  event('response.mcp_call_arguments.delta', { ...ofItem, delta: z.string() }),
  event('response.mcp_call_arguments.done', { ...ofItem, arguments: z.string() }),
  event('response.mcp_call.completed', ofItem),
  event('response.mcp_call.failed', ofItem),
  // OpenAI puts the fields beside the type, and the Open Responses specification puts them into `error`.
  event('error', { ...errorFields, error: z.strictObject({ type: z.string(), ...errorFields }) }),
]);

export type ResponseEvent = z.output<typeof responseEvent>;
