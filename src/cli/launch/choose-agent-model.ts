import { can } from '../../model-kinds.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { isDemoId } from '../../config/demo.ts';
import { chooseModel } from '../choose-model.ts';
import type { ListedModel } from '../server-connection.ts';
import type { Agent } from './agents.ts';

/** The least context with which agents do more than one step, in tokens. */
export const workingContextTokens = 32_768;

export interface AgentModel {
  readonly id: string;
  readonly contextTokens: number;
  /** A sentence for the user before the agent starts; undefined: none. */
  readonly warning: string | undefined;
}

/**
 * The model for an agent: `wanted`, else the largest that takes tools and has the context, before those that come with
 * hearth. Throws CliError where there is none, or where its context does not even hold the agent's first prompt.
 */
export function chooseAgentModel(
  listed: readonly ListedModel[],
  wanted: string | undefined,
  agent: Agent,
): AgentModel {
  const models = listed.filter((model) => can(model, 'generate'));
  const taking = models.filter((model) => model.capabilities.supports_function_calling);
  const model = wanted === undefined ? bestOf(taking) : chooseModel(models, wanted, 'chat model');
  if (model === undefined)
    throw new CliError('no model here can use tools, which agents need', 'get one with: hearth models pull');
  const { id } = model;
  if (!taking.includes(model))
    throw new CliError(
      `the model "${id}" cannot use tools, which agents need`,
      'choose another with --model',
    );
  const contextTokens = model.context_window ?? 0;
  if (contextTokens >= workingContextTokens) return { id, contextTokens, warning: undefined };
  const problem =
    `the model "${id}" has a context of ${count(contextTokens)} tokens: ${agent.command}'s first prompt takes about ` +
    `${count(agent.firstPromptTokens)}, and it needs ${count(workingContextTokens)} to work`;
  const remedy = isDemoId(id)
    ? 'get a larger one with: hearth models pull'
    : `set "context: ${workingContextTokens}" for this model in hearth.yaml, or choose another with --model`;
  if (contextTokens < agent.firstPromptTokens) throw new CliError(problem, remedy);
  return { id, contextTokens, warning: `${problem}; ${remedy}` };
}

/** Models with the context come before others, then those of the operator, then larger ones. */
function bestOf(models: readonly ListedModel[]): ListedModel | undefined {
  const rank = (model: ListedModel) => [
    (model.context_window ?? 0) >= workingContextTokens ? 1 : 0,
    isDemoId(model.id) ? 0 : 1,
    parameterCount(model.parameters_number),
  ];
  return models.toSorted((a, b) => {
    const [ranksA, ranksB] = [rank(a), rank(b)];
    const at = ranksA.findIndex((value, index) => value !== ranksB[index]);
    return at === -1 ? 0 : (ranksB[at] ?? 0) - (ranksA[at] ?? 0);
  })[0];
}

/** Parameters of a text such as `8.03B`; 0 where it tells none. */
function parameterCount(text: string): number {
  const units = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };
  const unit = text.at(-1) ?? '';
  return unit in units ? Number.parseFloat(text) * units[unit as keyof typeof units] : 0;
}

/** Such as `19,000`. */
export const count = (amount: number) => amount.toLocaleString('en');
