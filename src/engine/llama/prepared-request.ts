import { AppError } from '../../errors/errors.ts';
import type { AnswerCompiler } from '../sandbox/answer-compiler.ts';
import type { AnswerConstraint } from '../prompt/constrain-answer.ts';
import { demandOf } from '../prompt/constrain-answer.ts';
import { withThoughtsApart } from '../prompt/mark-conversation.ts';
import type { TemplateFacts } from '../prompt/template/template-facts.ts';
import { switchedReasoning } from '../prompt/template/finish-prompt.ts';
import { planTurn, type TurnPlan } from '../prompt/turn-plan.ts';
import type { GenerationRequest, Prompt, ReasoningRequest } from '../types.ts';
import type { PromptTokenizer, TokenizedPrompt } from './tokens/prompt-tokens.ts';
import type { Vocabulary } from './tokens/vocabulary.ts';

/** A request that is ready for the step loop. */
export interface PreparedRequest extends Pick<TokenizedPrompt, 'promptTokens' | 'media'> {
  readonly request: GenerationRequest;
  /** Parameters of the request that are ignored, under the names that errors give them. */
  readonly ignored?: readonly string[];
  /** The prompt as text, where it is to be repeated. */
  readonly echoText?: string | undefined;
  /** 0: the prompt is only computed. Prompt and completion together fit into the context. */
  readonly maxTokens: number;
  /** The answer that the client expects, in tokens. */
  readonly prediction?: Uint32Array | undefined;
  /** Undefined: all that the model writes is plain text. */
  readonly turn?: PreparedTurn | undefined;
}

/** A plan for the model's turn with its texts in tokens. */
export interface PreparedTurn extends TurnPlan {
  /** Control tokens that the plan's reader must see. */
  readonly shownTokens: ReadonlySet<number>;
  /** `closingText`. */
  readonly closingTokens: Uint32Array;
}

export interface PreparationOptions {
  readonly vocabulary: Vocabulary;
  readonly promptTokenizer: PromptTokenizer;
  readonly answers: AnswerCompiler;
  readonly contextTokens: number;
}

/**
 * The request with its prompt in tokens and its answer planned. Throws AppError: context_length_exceeded,
 * invalid_value, invalid_json_schema, schema_too_complex.
 */
export async function prepareRequest(
  asked: GenerationRequest,
  options: PreparationOptions,
  signal: AbortSignal,
): Promise<PreparedRequest> {
  const { vocabulary, promptTokenizer, answers, contextTokens } = options;
  const { facts } = promptTokenizer;
  const request = { ...withoutCalls(asked, facts, vocabulary), ...reasoningOf(asked, facts) };
  checkLogitBias(request, vocabulary);
  const tokenized = await promptTokenizer.tokenize(request, signal);
  const { promptTokens, media, startsInThought, unreadVariables = [] } = tokenized;
  checkEchoedLogprobs(request, promptTokens.length);
  const constraint = await constraintOf(request, { facts, answers, startsInThought }, signal);
  const plan = planTurn(request, facts, startsInThought, constraint);
  const room = contextTokens - promptTokens.length;
  const prediction =
    request.prediction === undefined
      ? undefined
      : await vocabulary.tokenize(request.prediction, false, contextTokens);
  return {
    request,
    promptTokens,
    media,
    ignored: [...(constraint?.ignored ?? []), ...unreadVariables.map((name) => `templateVariables.${name}`)],
    echoText: request.echo === true ? echoOf(request.prompt, promptTokens, vocabulary) : undefined,
    maxTokens: Math.min(request.maxTokens ?? room, room),
    prediction,
    turn: plan && prepareTurn(plan, vocabulary),
  };
}

/**
 * The form that the answer to `request` must have; undefined: any. Throws invalid_json_schema and schema_too_complex,
 * also for a request whose tokens are only counted: a request that is counted can be generated.
 */
export async function constraintOf(
  request: Parameters<typeof demandOf>[0] & { readonly keyId: string },
  about: {
    readonly facts: TemplateFacts;
    readonly answers: AnswerCompiler;
    readonly startsInThought?: boolean;
  },
  signal: AbortSignal,
): Promise<AnswerConstraint | undefined> {
  const demand = demandOf(request, about.facts, about.startsInThought ?? false);
  return demand && (await about.answers.compile(demand, { keyId: request.keyId, signal }));
}

/**
 * How the model is to reason, as the request's variables and its prompt say: an answer that was begun has had its
 * thought, or goes on with it. Throws as `checkEffort`.
 */
export function reasoningOf(
  request: Pick<GenerationRequest, 'prompt' | 'reasoning' | 'templateVariables'>,
  facts: TemplateFacts,
): { readonly reasoning?: ReasoningRequest } {
  const { prompt, reasoning } = request;
  checkEffort(reasoning, facts);
  if (prompt.kind !== 'messages' || prompt.continuesLast !== true)
    return switchedReasoning(request, facts.thoughts);
  const last = withThoughtsApart(prompt, facts).messages.at(-1);
  const enabled = (last?.reasoning ?? '') !== '';
  return facts.thoughts === undefined ? {} : { reasoning: { ...reasoning, enabled } };
}

/** Throws unsupported_value for an effort that the model's template does not know though it knows others. */
function checkEffort(reasoning: ReasoningRequest | undefined, { thoughts }: TemplateFacts): void {
  const { enabled = false, effort } = reasoning ?? {};
  const known = thoughts?.effort?.values;
  if (!enabled || effort === undefined || known === undefined || known[effort] !== undefined) return;
  throw new AppError(
    'unsupported_value',
    `This model does not know the effort '${effort}'. Use one of: ${Object.keys(known).join(', ')}.`,
    { param: 'reasoning.effort' },
  );
}

/** `request` so that no marker of a call is drawn where it shows tools of which none may be called. */
function withoutCalls(
  request: GenerationRequest,
  { toolSyntax }: TemplateFacts,
  vocabulary: Vocabulary,
): GenerationRequest {
  if (request.tools?.allowed?.length !== 0) return request;
  const logitBias = new Map(request.sampling.logitBias);
  for (const [text, token] of vocabulary.controlTokens)
    if (toolSyntax.triggers.some((trigger) => trigger.text.startsWith(text)))
      logitBias.set(token, Number.NEGATIVE_INFINITY);
  return { ...request, sampling: { ...request.sampling, logitBias } };
}

function checkLogitBias({ sampling }: GenerationRequest, vocabulary: Vocabulary): void {
  for (const token of sampling.logitBias.keys()) {
    if (vocabulary.has(token)) continue;
    throw new AppError('invalid_value', `Token ${token} is not one of the model's ${vocabulary.size}.`, {
      param: 'logit_bias',
    });
  }
}

/** Repeated log-probabilities stay in memory until the answer is sent, and take some kilobytes per token. */
function checkEchoedLogprobs(request: GenerationRequest, promptTokens: number): void {
  const { echo, topLogprobs, maxEchoedLogprobs = Infinity } = request;
  if (echo !== true || topLogprobs === undefined || promptTokens <= maxEchoedLogprobs) return;
  throw new AppError(
    'invalid_value',
    `The log-probabilities of ${promptTokens} prompt tokens are too many to repeat; here up to ${maxEchoedLogprobs} ` +
      "are for each prompt. Send fewer prompts at once, lower 'logprobs', or leave 'echo' out.",
    { param: 'logprobs' },
  );
}

/** Given text as it is, other prompts as the text of their tokens. */
function echoOf(prompt: Prompt, tokens: Uint32Array, vocabulary: Vocabulary): string {
  return prompt.kind === 'text' ? prompt.text : vocabulary.textOf(tokens);
}

function prepareTurn(plan: TurnPlan, vocabulary: Vocabulary): PreparedTurn {
  const shown = [...vocabulary.controlTokens].filter(([text]) =>
    plan.markers.some((marker) => marker.includes(text)),
  );
  return {
    ...plan,
    shownTokens: new Set(shown.map(([, token]) => token)),
    closingTokens: vocabulary.tokenizeGenerated(plan.closingText),
  };
}
