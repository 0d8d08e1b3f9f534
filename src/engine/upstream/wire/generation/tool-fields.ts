import { AppError } from '../../../../errors/errors.ts';
import type { TextGrammar, ToolDefinition, ToolUse } from '../../../types.ts';
import type { Fields } from '../json.ts';

/** The fields that offer functions to an upstream's model. Throws unsupported_value for a tool with a grammar. */
export function toToolFields(tools: ToolUse): Fields {
  const { allowed, required, parallel } = tools;
  const [only] = allowed?.length === 1 ? allowed : [];
  const choice = only === undefined ? 'required' : { type: 'function', function: { name: only } };
  if (allowed?.length === 0) {
    // A grammar needs no holding where nothing is called.
    const plain = tools.definitions.map((definition) => ({ ...definition, inputGrammar: undefined }));
    return { tools: plain.map((definition) => toTool({ definition, index: 0 })), tool_choice: 'none' };
  }
  return {
    tools: offeredTools(tools).map(toTool),
    tool_choice: required ? choice : 'auto',
    ...(!parallel && { parallel_tool_calls: false }),
  };
}

function toTool({ definition, index }: Offered): Fields {
  const { inputGrammar, ...plain } = definition;
  if (inputGrammar === undefined) return { type: 'function', function: plain };
  throw new AppError(
    'unsupported_value',
    'The server that runs this model cannot hold the input of a tool to a grammar. Leave the grammar out, or use ' +
      'another model.',
    { param: `tools[${index}].inputGrammar` },
  );
}

interface Offered {
  readonly definition: Omit<ToolDefinition, 'inputGrammar'> & {
    readonly inputGrammar?: TextGrammar | undefined;
  };
  readonly index: number;
}

/** The functions that the upstream sees, with their places in the request: those that may be called. */
export function offeredTools({ definitions, allowed }: ToolUse) {
  return definitions
    .map((definition, index) => ({ definition, index }))
    .filter(({ definition }) => allowed?.includes(definition.name) ?? true);
}
