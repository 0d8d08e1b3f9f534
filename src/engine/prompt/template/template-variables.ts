import type { GenerationRequest, ReasoningRequest, TemplateVariables } from '../../types.ts';
import type { ThoughtFacts } from './thought-facts.ts';

/** Variables that every conversation sets by itself. */
const reserved: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'functions',
  'add_generation_prompt',
  'bos_token',
  'eos_token',
]);

/** Those of `variables` that the template with this source reads, and the names of the others. */
export function sortVariables(
  variables: TemplateVariables,
  source: string,
): { readonly read: TemplateVariables; readonly unread: readonly string[] } {
  const names = namesInCode(source);
  const isRead = (name: string) => names.has(name) && !reserved.has(name);
  return {
    read: Object.fromEntries(Object.entries(variables).filter(([name]) => isRead(name))),
    unread: Object.keys(variables).filter((name) => !isRead(name)),
  };
}

/** The bare names in a template's code, keywords and names of its own included. */
function namesInCode(source: string): ReadonlySet<string> {
  const code =
    source.match(/\{#[^]*?#\}|\{%[^]*?%\}|\{\{[^]*?\}\}/g)?.filter((part) => part[1] !== '#') ?? [];
  const bare = code.map((part) => part.replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/gs, "''"));
  return new Set(bare.flatMap((part) => part.match(/(?<![\w.])[a-zA-Z_]\w*/g) ?? []));
}

/** The `reasoning` of a request whose template variables turn thinking on or off; {} where they do not. */
export function switchedReasoning(
  { templateVariables = {}, reasoning }: Pick<GenerationRequest, 'templateVariables' | 'reasoning'>,
  thoughts: ThoughtFacts | undefined,
): { readonly reasoning?: ReasoningRequest } {
  const effort = thoughts?.effort ? [thoughts.effort.variable] : [];
  const names = [...Object.keys(thoughts?.switch?.on ?? {}), ...effort];
  const name = names.find((candidate) => Object.hasOwn(templateVariables, candidate));
  if (name === undefined) return {};
  return { reasoning: { ...reasoning, enabled: templateVariables[name] !== thoughts?.switch?.off[name] } };
}
