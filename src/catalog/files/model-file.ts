import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { errorCodeOf } from '../../words/describe-error.ts';
import { fileEngineOf, type FileEngineName } from '../../engine/file-formats.ts';
import type { ModelKind } from '../../model-kinds.ts';
import { readGgufHeader, type GgufHeader } from './gguf-header.ts';
import { MalformedFileError } from './window-reader.ts';
import { readWhisperFacts } from './whisper-header.ts';

export interface ModelFacts {
  readonly engine: FileEngineName;
  readonly kind: ModelKind;
  readonly architecture: string;
  readonly parameterCount: number;
  readonly quantization: string | null;
  readonly trainContextTokens: number;
  readonly functionCalling: boolean;
  readonly reasoning: boolean;
  /** It names tokens for the text before and behind a gap. Many files that have such tokens do not name them. */
  readonly infill?: boolean;
  readonly chatTemplate: string | null;
  /** As the file calls it; null where it does not tell. */
  readonly licence: string | null;
  /** The model's name in the file; null where it does not tell. */
  readonly name: string | null;
  /** Numbers per token that a projector would have to give; null where the file does not tell. */
  readonly embeddingLength: number | null;
  /** Who made the model; null where the file does not tell. */
  readonly madeBy: string | null;
  /** Parts of a split model (1: not split) and which of them this file is, from 0. */
  readonly splitCount: number;
  readonly splitIndex: number;
}

/** Of one projector in several precisions, best first: more precision than F16 changes nothing that can be seen. */
export const projectorQuantizations = ['F16', 'BF16', 'Q8_0', 'F32'];

/** Facts of a file by which a model sees, hears or speaks. */
export interface ProjectorFacts {
  readonly sees: boolean;
  readonly hears: boolean;
  readonly speaks: boolean;
  readonly name: string | null;
  readonly quantization: string | null;
  readonly projectionLength: number | null;
}

export type Inspection =
  | { readonly outcome: 'model'; readonly facts: ModelFacts }
  | { readonly outcome: 'projector'; readonly facts: ProjectorFacts }
  | {
      readonly outcome: 'skipped';
      readonly reason: string;
      /** Nothing about the file looks like a model, so skipping it needs no warning. */
      readonly isOther: boolean;
      /** The file is intact, but of a kind that hearth does not serve. */
      readonly isUnservable: boolean;
    };

/** Architectures that turn texts into vectors and cannot generate. */
const encoderArchitectures: ReadonlySet<string> = new Set(
  (
    'bert eurobert gemma-embedding jina-bert-v2 jina-bert-v3 llama-embed modern-bert neo-bert nomic-bert ' +
    'nomic-bert-moe t5encoder'
  ).split(' '),
);

/** Architectures that speak, with a projector. */
const voiceArchitectures: ReadonlySet<string> = new Set(['pockettts', 'qwen3tts']);

/** Architectures that are neither chat nor embedding models, with their kinds. */
const unservableArchitectures: ReadonlyMap<string, string> = new Map([
  ['dflash', 'a draft model for speculative decoding'],
  ['dream', 'a diffusion language model'],
  ['eagle3', 'a draft model for speculative decoding'],
  ['gemma4-assistant', 'a draft model for speculative decoding'],
  ['llada', 'a diffusion language model'],
  ['llada-moe', 'a diffusion language model'],
  ['rnd1', 'a diffusion language model'],
  ['t5', 'an encoder-decoder model'],
  ['wavtokenizer-dec', 'a speech synthesiser'],
]);

/** The architecture of all projectors, whatever they see or hear with. */
const projectorArchitecture = 'clip';

/** GGUF's `<architecture>.pooling_type` (llama_pooling_type in llama.h). */
const pooling = { none: 0, rank: 4 } as const;

const inspectors: Readonly<Record<FileEngineName, (fd: number, sizeBytes: number) => Inspection>> = {
  llama: inspectGguf,
  whisper: inspectGgml,
};

/** Facts of the file at `path`, read from its content. Never throws, whatever the file contains. */
export function inspectModelFile(path: string): Inspection {
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return skipped(`it cannot be opened (${errorCodeOf(error) ?? String(error)})`);
  }
  try {
    const { size: sizeBytes } = fstatSync(fd);
    const engine = fileEngineOf(fd);
    if (engine !== undefined) return inspectors[engine](fd, sizeBytes);
    return skipped('neither a GGUF nor a whisper ggml file', { isOther: true });
  } catch (error) {
    if (error instanceof MalformedFileError) return skipped(error.message);
    return skipped(`it cannot be read (${errorCodeOf(error) ?? String(error)})`);
  } finally {
    closeSync(fd);
  }
}

function inspectGguf(fd: number, sizeBytes: number): Inspection {
  const header = readGgufHeader(fd, sizeBytes);
  if (header.architecture === projectorArchitecture) return inspectProjector(header);
  if (header.type !== null && header.type !== 'model')
    return unservable(`a GGUF file of type ${header.type}`);
  const otherKind = unservableArchitectures.get(header.architecture);
  if (otherKind !== undefined) return unservable(otherKind);
  if (header.tensorCount === 0 && header.splitCount === 1) return skipped('it holds no weights');
  const ranks = header.poolingType === pooling.rank;
  const pools = header.poolingType !== null && header.poolingType > pooling.none;
  const isEmbedding = pools || encoderArchitectures.has(header.architecture);
  const speaks = voiceArchitectures.has(header.architecture);
  const template = isEmbedding || speaks ? null : header.chatTemplate;
  return {
    outcome: 'model',
    facts: {
      engine: 'llama',
      kind: speaks ? 'voice' : ranks ? 'reranker' : isEmbedding ? 'embedding' : 'chat',
      architecture: header.architecture,
      parameterCount: header.parameterCount,
      quantization: header.quantization,
      trainContextTokens: header.trainContextTokens,
      functionCalling: template !== null && templateTakesTools(template),
      reasoning: template !== null && templateKnowsThinking(template),
      infill: header.namesInfillTokens,
      chatTemplate: template,
      licence: header.licence,
      name: header.name,
      embeddingLength: header.embeddingLength,
      madeBy: toOwner(header.organization) ?? toOwner(header.author),
      splitCount: header.splitCount,
      splitIndex: header.splitIndex,
    },
  };
}

function inspectProjector({ projector, name, quantization }: GgufHeader): Inspection {
  const { hasVisionEncoder: sees, hasSpeechGenerator: speaks, projectionLength } = projector;
  // A model that speaks has an audio encoder for the voice that it imitates, and hears nothing else.
  const hears = projector.hasAudioEncoder && !speaks;
  if (!sees && !hears && !speaks) return unservable('a projector for neither images nor audio');
  return { outcome: 'projector', facts: { sees, hears, speaks, name, quantization, projectionLength } };
}

function inspectGgml(fd: number, sizeBytes: number): Inspection {
  const header = readWhisperFacts(fd, sizeBytes);
  if (header === undefined) return unservable('a ggml file, but not a whisper model');
  return {
    outcome: 'model',
    facts: {
      engine: 'whisper',
      kind: 'speech',
      architecture: 'whisper',
      parameterCount: header.parameterCount,
      quantization: header.quantization,
      trainContextTokens: header.textContextTokens,
      functionCalling: false,
      reasoning: false,
      chatTemplate: null,
      licence: null,
      name: null,
      embeddingLength: null,
      madeBy: null,
      splitCount: 1,
      splitIndex: 0,
    },
  };
}

function skipped(reason: string, { isOther = false, isUnservable = false } = {}): Inspection {
  return { outcome: 'skipped', reason, isOther, isUnservable };
}

const unservable = (reason: string) => skipped(reason, { isUnservable: true });

/** `name` in one line of at most 100 characters; null when it is empty. */
function toOwner(name: string | null): string | null {
  // oxlint-disable-next-line no-control-regex -- control characters must not get out
  const clean = name?.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim() ?? '';
  return clean === '' ? null : clean.slice(0, 100);
}

/** Tags around thoughts, and names of variables and fields about thinking. */
const thinking =
  /<\/?(?:seed:)?think>|\[\/?THINK\]|<\|\/?think\|>|◁\/?think▷|thinking|THINKING|reasoning_[a-z]|\.reasoning\b/;
/** The variable `tools`, behind a word or sign that may come before a variable. */
const tools = /(?:\b(?:if|in|not|and|or)|[-({=,|])\s{0,9}tools\b/;

/** Whether the text of a chat template looks as if it showed tools. Whoever renders it, as the first load does, knows. */
export const templateTakesTools = (template: string): boolean => tools.test(withoutComments(template));

/** Whether the text of a chat template looks as if it knew thinking; see `templateTakesTools`. */
export const templateKnowsThinking = (template: string): boolean => thinking.test(withoutComments(template));

function withoutComments(template: string): string {
  const [first = '', ...rest] = template.split('{#');
  return [first, ...rest.map((part) => part.slice(part.indexOf('#}') + 1))].join(' ');
}
