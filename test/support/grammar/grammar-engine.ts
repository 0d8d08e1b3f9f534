import { openTestLlama } from '../models/native-model.ts';

export interface EngineGrammar {
  /** Whether `text` is one whole text of the grammar. */
  readonly accepts: (text: string) => boolean;
}

interface Bindings {
  AddonGrammar: new (
    grammar: string,
    options: { addonExports: unknown; rootRuleName: string },
  ) => { isTextCompatible(text: string): boolean };
}

/** A function that gives grammars to llama.cpp itself; it throws on one that llama.cpp does not take. */
export async function openGrammarEngine(): Promise<(grammar: string) => EngineGrammar> {
  const llama = await openTestLlama();
  const bindings = (llama as unknown as { _bindings: Bindings })._bindings;
  return (grammar) => {
    const native = new bindings.AddonGrammar(grammar, { addonExports: bindings, rootRuleName: 'root' });
    return { accepts: (text) => native.isTextCompatible(text) };
  };
}
