import type { TemplateVariables } from '../../types.ts';

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
  const isRead = (name: string) => names.includes(name) && !reserved.has(name);
  return {
    read: Object.fromEntries(Object.entries(variables).filter(([name]) => isRead(name))),
    unread: Object.keys(variables).filter((name) => !isRead(name)),
  };
}

/** The variables that a template may do without: about thinking, or such as it asks for before it reads them. */
export const optionalNames = (source: string): readonly string[] =>
  namesInCode(source).filter(
    (name) =>
      !reserved.has(name) &&
      (isOfThinking(name) || new RegExp(`(?<![\\w.])${name}\\s+is\\s+(?:not\\s+)?defined`).test(source)),
  );

export const isOfThinking = (name: string) => /think|reason|effort/i.test(name);

/** The bare names in a template's code, keywords and names of its own included. */
function namesInCode(source: string): readonly string[] {
  const code =
    source.match(/\{#[^]*?#\}|\{%[^]*?%\}|\{\{[^]*?\}\}/g)?.filter((part) => part[1] !== '#') ?? [];
  const bare = code.map((part) => part.replaceAll(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/gs, "''"));
  return [...new Set(bare.flatMap((part) => part.match(/(?<![\w.])[a-zA-Z_]\w*/g) ?? []))];
}
