import type { Measure } from './accounts/plans.ts';

/** Work that a request may ask of a model: text, embeddings, ranks of texts, transcripts of speech, or speech. */
export type Ability = 'generate' | 'embed' | 'rank' | 'transcribe' | 'speak';

/** Facts about all models of one kind. */
interface KindFacts {
  readonly abilities: readonly Ability[];
  /** The units in which requests to such a model are charged. */
  readonly measures: readonly Measure[];
  /** The work of such a model in words, after a subject. */
  readonly strength: string;
  /** Stands for such a model in examples of the API. */
  readonly placeholder: string;
}

/** The kinds of models, each in one row. Whoever needs to know what a kind can do reads it here. */
export const modelKinds = {
  chat: {
    abilities: ['generate', 'embed'],
    measures: ['requests', 'inputTokens', 'outputTokens'],
    strength: 'writes text',
    placeholder: '<chat model>',
  },
  embedding: {
    abilities: ['embed'],
    measures: ['requests', 'inputTokens'],
    strength: 'computes embeddings',
    placeholder: '<embedding model>',
  },
  reranker: {
    abilities: ['rank'],
    measures: ['requests', 'inputTokens'],
    strength: 'ranks texts',
    placeholder: '<reranking model>',
  },
  speech: {
    abilities: ['transcribe'],
    measures: ['requests', 'audioSeconds'],
    strength: 'transcribes speech',
    placeholder: '<speech model>',
  },
  voice: {
    abilities: ['speak'],
    measures: ['requests', 'inputTokens', 'audioSeconds'],
    strength: 'speaks texts',
    placeholder: '<voice model>',
  },
} as const satisfies Record<string, KindFacts>;

export type ModelKind = keyof typeof modelKinds;

export const modelKindNames = Object.keys(modelKinds) as readonly ModelKind[];

/** True when models of the kind of `model` have `ability`. */
export function can({ kind }: { readonly kind: ModelKind }, ability: Ability): boolean {
  return modelKinds[kind].abilities.some((one) => one === ability);
}
