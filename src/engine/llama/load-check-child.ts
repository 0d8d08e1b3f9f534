/**
 * The program that load-check.ts runs in a process of its own: loads the model file given as its only
 * argument, uses it a little, and sends one LoadCheckMessage to its parent. It may crash: that is the point.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import {
  getLlama,
  InsufficientMemoryError,
  LlamaLogLevel,
  type Llama,
  type LlamaModel,
} from 'node-llama-cpp';
import { ChatTemplate } from '../prompt/chat-template.ts';
import { AddonError } from '../whisper/addon-file.ts';
import { tryWhisperModel } from '../whisper/check-loadable.ts';
import { isGgmlFile } from '../whisper/model-file.ts';
import { memoryTrouble } from './load-check.ts';
import { createTemplateRenderer } from './native.ts';
import { Vocabulary } from './vocabulary.ts';

export type LoadCheckMessage =
  | { readonly loadable: true }
  | { readonly loadable: false; readonly reason: string; readonly transient: boolean };

/** Letters, digits, spaces, other scripts, an emoji and a line break: each takes its own way in a tokenizer. */
const probeText = 'Hello, world! 12345  été Ωμέγα 你好 🙂\n\tthe end';
const contextTokens = 64;
const maxDecodedTokens = 16;

async function checkModel(path: string): Promise<void> {
  const errors: string[] = [];
  try {
    if (isGgmlFile(path)) {
      await tryWhisperModel(path);
      report({ loadable: true });
      return;
    }
    const llama = await getLlama({
      gpu: false,
      build: 'never',
      skipDownload: true,
      maxThreads: 1,
      logLevel: LlamaLogLevel.error,
      logger: (_level, message) => void errors.push(message.trim()),
    });
    const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
    const tokens = model.tokenize(probeText, false);
    if (tokens.length === 0) throw new Error('its tokenizer turns a text into nothing');
    await decode(model, tokens.slice(0, maxDecodedTokens));
    renderTemplate(llama, model);
    report({ loadable: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The library's own message is often just "Failed to load model"; the reason went to its log.
    const detail = errors.find((line) => line !== '');
    const reason = [message, detail].filter((part) => part !== undefined).join(': ');
    report({ loadable: false, reason: reason.slice(0, 500), transient: isMachineTrouble(error) });
  }
}

/** One pass through all layers, as an embedding where the model can do nothing else. */
async function decode(model: LlamaModel, tokens: ReturnType<LlamaModel['tokenize']>): Promise<void> {
  if (model.fileInsights.hasEncoder && !model.fileInsights.hasDecoder) {
    const context = await model.createEmbeddingContext({ contextSize: contextTokens, threads: 1 });
    await context.getEmbeddingFor(tokens);
    return;
  }
  const context = await model.createContext({
    contextSize: contextTokens,
    batchSize: contextTokens,
    sequences: 1,
    threads: 1,
  });
  await context.getSequence().evaluateWithoutGeneratingNewTokens(tokens);
}

/** The facts of the template and a conversation. Only a crash counts, or no end: it may refuse them in its own words. */
function renderTemplate(llama: Llama, model: LlamaModel): void {
  const source = model.fileInfo.metadata.tokenizer.chat_template;
  if (source === undefined) return;
  try {
    const render = createTemplateRenderer(llama, source);
    const { bosText, eosText } = new Vocabulary(model);
    new ChatTemplate({ render, source, bosText, eosText }).render([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello. What can I do?' },
      { role: 'user', content: 'Nothing.' },
    ]);
  } catch {
    // Its words do not matter: the prompt builder shapes messages to what the template takes.
  }
}

/** Whether the file may be sound all the same. */
function isMachineTrouble(error: unknown): boolean {
  return (
    error instanceof AddonError ||
    error instanceof InsufficientMemoryError ||
    (error instanceof Error && memoryTrouble.test(error.message))
  );
}

function report(message: LoadCheckMessage): void {
  process.send?.(message);
}

/** Where memory runs short, the system is to end this process and not the server; and no core is to be dumped. */
function standBack(): void {
  try {
    setPriority(10);
  } catch {
    // Not allowed here: the check only competes more.
  }
  for (const [file, value] of [
    ['oom_score_adj', '1000'],
    ['coredump_filter', '0'],
  ] as const) {
    try {
      writeFileSync(`/proc/self/${file}`, value);
    } catch {
      // Not Linux, or not allowed.
    }
  }
}

const path = process.argv[2];
// A parent that went away needs no verdict.
process.on('disconnect', () => process.exit(0));
// Those of a terminal go to the parent too, which decides.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
standBack();
if (path !== undefined) await checkModel(path);
