/** A tool on the wire; `{}` as parameters takes anything. */
export const wireTool = (name: string, parameters?: object, extra: object = {}) => ({
  type: 'function' as const,
  function: { name, ...(parameters && { parameters: { ...parameters } }), ...extra },
});

/** A choice of that tool. */
export const chooseTool = (name: string) => ({ type: 'function' as const, function: { name } });

/** A call in an assistant message of the history. */
export const wireCall = (id: string, name: string, text = '{}') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
});

/** A choice of some tools. */
export const allowTools = (mode: string, ...names: string[]) => ({
  type: 'allowed_tools' as const,
  allowed_tools: { mode, tools: names.map(chooseTool) },
});
