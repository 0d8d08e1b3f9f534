import { choice, literal, sequence, type Expression } from './expression.ts';

export interface TextChoice {
  readonly text: string;
  /** The expression that follows the text. */
  readonly rest: Expression;
}

/**
 * A choice between texts that all differ. Common beginnings are written once, so that llama.cpp follows one alternative
 * for each next character instead of one for each text.
 */
export function choiceTree(choices: readonly TextChoice[]): Expression {
  return branch(
    choices.map(({ text, rest }) => ({ chars: Array.from(text), rest })),
    0,
  );
}

interface Branch {
  readonly chars: readonly string[];
  readonly rest: Expression;
}

function branch(choices: readonly Branch[], from: number): Expression {
  const options = choices.filter(({ chars }) => chars.length === from).map(({ rest }) => rest);
  const longer = choices.filter(({ chars }) => chars.length > from);
  const byFirst = Map.groupBy(longer, ({ chars }) => chars[from]);
  for (const group of byFirst.values()) {
    const [only, ...others] = group;
    if (only === undefined) continue;
    if (others.length === 0) {
      options.push(sequence(literal(only.chars.slice(from).join('')), only.rest));
      continue;
    }
    let end = from + 1;
    while (end < only.chars.length && others.every((other) => other.chars[end] === only.chars[end])) end += 1;
    options.push(sequence(literal(only.chars.slice(from, end).join('')), branch(group, end)));
  }
  return choice(options);
}
