import {
  getLlama,
  InsufficientMemoryError,
  LlamaLogLevel,
  readGgufFileInfo,
  type Llama,
  type LlamaModel,
} from 'node-llama-cpp';
import { AppError } from '../../../errors/errors.ts';
import { messageOf } from '../../../words/describe-error.ts';
import { MachineTroubleError, type ModelFindings } from '../../model-check/trial.ts';
import { memoryTrouble } from '../../processes/watch-child.ts';
import { ChatTemplate, fallbackTemplate } from '../../prompt/chat-template.ts';
import { createTemplateRenderer } from '../template-engine.ts';
import { projectorMemory, projectorTrouble } from '../native/projector.ts';
import { PromptTokenizer } from '../tokens/prompt-tokens.ts';
import { Vocabulary } from '../tokens/vocabulary.ts';

/** Letters, digits, spaces, other scripts, an emoji and a line break: a tokenizer treats each differently. */
const probeText = 'Hello, world! 12345  été Ωμέγα 你好 🙂\n\tthe end';
const contextTokens = 64;
const maxDecodedTokens = 16;
const maxTriedControlTexts = 8;

/**
 * Loads the GGUF model at `path`, decodes some tokens and renders prompts, in a process of its own, so that a damaged
 * file crashes here and not later. Returns the findings about the model's own template; undefined where it has none.
 * Calls `onTemplate` before it renders prompts. Throws an Error with the fault of the file, or MachineTroubleError.
 */
export async function tryLlamaModel(
  path: string,
  onTemplate: () => void,
): Promise<ModelFindings | undefined> {
  const errors: string[] = [];
  try {
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      maxThreads: 1,
      logLevel: LlamaLogLevel.error,
      logger: (_level, message) => void errors.push(message.trim()),
    });
    if (await isProjector(path)) return await tryProjector(path);
    const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
    const tokens = model.tokenize(probeText, false);
    if (tokens.length === 0) throw new Error('its tokenizer turns a text into nothing');
    await decode(model, tokens.slice(0, maxDecodedTokens));
    onTemplate();
    return await tryPrompts(llama, model);
  } catch (cause) {
    const message = messageOf(cause);
    // The library's own message is often just "Failed to load model"; the reason went to its log.
    const detail = errors.find((line) => line !== '');
    const reason = [message, detail].filter((part) => part !== undefined).join(': ');
    const isMachineTrouble = cause instanceof InsufficientMemoryError || memoryTrouble.test(message);
    throw isMachineTrouble ? new MachineTroubleError(reason, { cause }) : new Error(reason, { cause });
  }
}

async function isProjector(path: string): Promise<boolean> {
  const { metadata } = await readGgufFileInfo(path);
  return (metadata.general.architecture as string) === 'clip';
}

/** Lays out a projector and its buffers. Where this process cannot open any, nobody will open this one. */
async function tryProjector(path: string): Promise<undefined> {
  if (projectorTrouble() !== undefined) throw new MachineTroubleError('projectors cannot be opened here');
  const memory = await projectorMemory({ path, usesGpu: false });
  if (memory === undefined) throw new Error('it is no projector that llama.cpp can read');
}

/**
 * One pass through all layers, as an embedding where the model can do nothing else. Throws when its results are no
 * numbers.
 */
async function decode(model: LlamaModel, tokens: ReturnType<LlamaModel['tokenize']>): Promise<void> {
  if (model.fileInsights.supportsRanking) {
    const context = await model.createRankingContext({ contextSize: contextTokens, threads: 1 });
    mustBeNumbers([await context.rank(tokens, tokens)]);
    return;
  }
  if (model.fileInsights.hasEncoder && !model.fileInsights.hasDecoder) {
    const context = await model.createEmbeddingContext({ contextSize: contextTokens, threads: 1 });
    const { vector } = await context.getEmbeddingFor(tokens);
    mustBeNumbers(vector);
    return;
  }
  const context = await model.createContext({ contextSize: contextTokens, threads: 1 });
  const drawn = context.getSequence().evaluateWithMetadata(tokens, { probabilities: true });
  const { value } = await drawn.next();
  mustBeNumbers([...(value?.probabilities.values() ?? [])]);
}

/** Throws where one of `values` is NaN or Infinity. A logit may be -Infinity, for a token that never comes. */
function mustBeNumbers(values: readonly number[]): void {
  if (values.some((value) => Number.isNaN(value) || value === Number.POSITIVE_INFINITY))
    throw new Error(
      'it computes no numbers (NaN): the file is damaged, or its weights were converted to a precision that they exceed',
    );
}

/**
 * Builds the parts that prompts need, as when the model is loaded, and the prompt of a conversation. Returns findings
 * about the model's own template, if it has one.
 */
async function tryPrompts(llama: Llama, model: LlamaModel): Promise<ModelFindings | undefined> {
  const vocabulary = new Vocabulary(model);
  const { bosText, eosText } = vocabulary;
  const { source, render } = readTemplate(llama, model);
  const promptTokenizer = new PromptTokenizer({
    vocabulary,
    template: new ChatTemplate({ render, source, bosText, eosText }),
    templateSource: source,
    contextTokens: model.trainContextSize,
  });
  const messages = [
    { role: 'user', content: `Hello ${vocabulary.controlTexts.slice(0, maxTriedControlTexts).join(' ')}` },
    { role: 'assistant', content: 'Hello. What can I do?' },
    { role: 'user', content: probeText },
  ] as const;
  try {
    await promptTokenizer.tokenize({ prompt: { kind: 'messages', messages } });
  } catch (error) {
    // A template may refuse these messages. Only a crash or an endless loop counts here.
    if (!(error instanceof AppError)) throw error;
  }
  if (source === fallbackTemplate) return undefined;
  const { knowsSyntax, toolsVariable, thoughts } = promptTokenizer.facts;
  return {
    toolFormat: knowsSyntax ? 'native' : 'json',
    functionCalling: knowsSyntax || toolsVariable !== undefined,
    infill: vocabulary.fillInTheMiddle !== undefined,
    reasoning: thoughts !== undefined,
    ...(thoughts?.effort && { reasoningEfforts: Object.keys(thoughts.effort.values) }),
  };
}

/** The model's own template; the fallback where llama.cpp cannot read that. */
function readTemplate(llama: Llama, model: LlamaModel) {
  const own = model.fileInfo.metadata.tokenizer.chat_template;
  try {
    if (own !== undefined) return { source: own, render: createTemplateRenderer(llama, own) };
  } catch {
    // The fallback is used then, as when the model is loaded.
  }
  return { source: fallbackTemplate, render: createTemplateRenderer(llama, fallbackTemplate) };
}
