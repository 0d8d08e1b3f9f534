import type { ToolCall } from '../../types.ts';
import { codecOf } from './codecs/codec-of.ts';
import { toSpacedJson } from './schema/call-arguments.ts';
import type { TemplateTool } from './template-tools.ts';
import type { ToolSyntax } from './tool-syntax.ts';

/** The text that a model would have had to generate for `calls`, one after the other. */
export function writeToolCalls(
  { section, call, separator, body }: ToolSyntax,
  calls: readonly ToolCall[],
): string {
  const codec = codecOf(body);
  const written = calls.map((item, index) => call.begin + codec.write(body, item, index) + call.end);
  return section.begin.trimStart() + written.join(separator) + section.end;
}

/**
 * The text that tells a model about its tools where the template does not. Tools are listed as JSON, one in each line.
 * Calls are to be written in `syntax`: `<tool_call>` around `{"name": …, "arguments": …}` unless the template has a
 * form of its own.
 */
export function writeToolInstructions(tools: readonly TemplateTool[], syntax: ToolSyntax): string {
  const example = writeToolCalls(syntax, [
    { id: 'call00000', name: 'tool_name', arguments: '{"argument_name": "value"}' },
  ]);
  const listed = tools.map((tool) => toSpacedJson({ ...tool.function })).join('\n');
  const several = syntax.parallel ? ' Several calls may follow each other.' : '';
  return [
    `You may call these tools:\n<tools>\n${listed}\n</tools>`,
    `To call a tool, write its name and its arguments in exactly this form:\n${example}\n` +
      `Then stop and wait for the result.${several} Call a tool only when it helps to answer.`,
  ].join('\n\n');
}
