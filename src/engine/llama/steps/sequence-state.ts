import type { SavedConversation } from '../slots/checkpoints.ts';

/** The tokens that its slot needs before the next one is drawn: the prompt, and the answer as far as it was written. */
interface Unread {
  readonly tokens: Uint32Array;
  /** Its prompt was computed before, at least in part, when it had to leave its slot. */
  readonly isResumed: boolean;
}

interface WithCheckpoints {
  /** Where in its prompt checkpoints are saved, in ascending order; undefined: it needs none. */
  readonly places: readonly number[] | undefined;
  /** The last of these, where the tokens behind it were computed with those before it and its checkpoint is not saved yet. */
  readonly passedPlace?: number | undefined;
}

interface States {
  /** It has a slot, and may still take a prefix of its prompt from another one. */
  readonly waiting: Unread & WithCheckpoints;
  /** Pieces of `tokens` are computed. */
  readonly prefilling: { readonly tokens: Uint32Array } & WithCheckpoints;
  /** `nextTokens` were drawn, and are computed next. */
  readonly decoding: { readonly nextTokens: Uint32Array } & WithCheckpoints;
  /** Its next token is drawn outside of steps. `lost`: the slot's tokens before, which were lost meanwhile. */
  readonly drawing: { readonly lost?: Uint32Array } & WithCheckpoints;
  /** It has left its slot for others, and its tokens are computed again. */
  readonly resting: Unread;
  /** The same, but its slot's tokens are saved. */
  readonly parked: Unread & { readonly saved: SavedConversation };
  readonly ended: unknown;
}

interface Events {
  /** It gets a slot. */
  readonly placed: unknown;
  /** Its slot holds of its prompt all that caches have. */
  readonly prefixSettled: { readonly places: readonly number[] | undefined };
  /** A step computes some of its tokens. */
  readonly pieceBegun: { readonly passedPlace?: number | undefined };
  readonly drawn: { readonly nextTokens: Uint32Array };
  /** Its draw takes longer than its step. */
  readonly drawLate: unknown;
  /** Its slot held `computed`, and holds less now. */
  readonly cut: { readonly computed: Uint32Array };
  /** The checkpoint at the passed place is saved, or cannot be. */
  readonly passedPlaceSettled: unknown;
  /** It leaves its slot, which held `computed`; `saved`: a copy of that. */
  readonly left: { readonly computed: Uint32Array; readonly saved?: SavedConversation | undefined };
  readonly ended: unknown;
}

type Named<Map> = { [Name in keyof Map]: { readonly name: Name } & Map[Name] }[keyof Map];
type Is<Map, Name extends keyof Map> = { readonly name: Name } & Map[Name];

/** The state of a request, from its first slot to its end. */
export type SequenceState = Named<States>;
export type SequenceEvent = Named<Events>;

type Transitions = {
  readonly [From in keyof States]: {
    readonly [Event in keyof Events]?: (state: Is<States, From>, event: Is<Events, Event>) => SequenceState;
  };
};

const end = (): SequenceState => ({ name: 'ended' });

/** The states that follow; events that a state lacks cannot happen there. `README.md` has the same as a table. */
const transitions: Transitions = {
  waiting: {
    prefixSettled: (state, { places }) => ({ ...state, places }),
    pieceBegun: ({ tokens, places }, { passedPlace }) => ({
      name: 'prefilling',
      tokens,
      places,
      passedPlace,
    }),
    cut: (state) => state,
    left: ({ tokens, isResumed }, { saved }) => away(tokens, isResumed, saved),
    ended: end,
  },
  prefilling: {
    pieceBegun: (state, { passedPlace }) => ({ ...state, passedPlace }),
    drawn: ({ places, passedPlace }, { nextTokens }) => ({
      name: 'decoding',
      nextTokens,
      places,
      passedPlace,
    }),
    drawLate: ({ places, passedPlace }) => ({ name: 'drawing', places, passedPlace }),
    cut: (state) => state,
    left: ({ tokens }, { saved }) => away(tokens, true, saved),
    ended: end,
  },
  decoding: {
    drawn: (state, { nextTokens }) => ({ ...state, nextTokens }),
    drawLate: ({ places, passedPlace }) => ({ name: 'drawing', places, passedPlace }),
    cut: ({ nextTokens, places }, { computed }) => again(computed, nextTokens, places),
    passedPlaceSettled: (state) => ({ ...state, passedPlace: undefined }),
    left: ({ nextTokens }, { computed, saved }) => away(joined(computed, nextTokens), true, saved),
    ended: end,
  },
  drawing: {
    drawn: ({ lost, places, passedPlace }, { nextTokens }) =>
      lost === undefined
        ? { name: 'decoding', nextTokens, places, passedPlace }
        : again(lost, nextTokens, places),
    cut: (state, { computed }) => ({ ...state, lost: state.lost ?? computed.slice() }),
    ended: end,
  },
  resting: {
    placed: ({ tokens, isResumed }) => ({ name: 'waiting', tokens, isResumed, places: undefined }),
    ended: end,
  },
  parked: {
    placed: ({ tokens, isResumed }) => ({ name: 'waiting', tokens, isResumed, places: undefined }),
    ended: end,
  },
  ended: {},
};

/** The state after the event. Throws where the event cannot happen in the state. */
export function stateAfter(state: SequenceState, event: SequenceEvent): SequenceState {
  // Each function is given the state and the event under whose names it stands.
  const transition = transitions[state.name][event.name] as
    | ((state: SequenceState, event: SequenceEvent) => SequenceState)
    | undefined;
  if (transition === undefined) throw new Error(`A request that is ${state.name} cannot be ${event.name}`);
  return transition(state, event);
}

function away(tokens: Uint32Array, isResumed: boolean, saved: SavedConversation | undefined): SequenceState {
  return saved === undefined
    ? { name: 'resting', tokens, isResumed }
    : { name: 'parked', tokens, isResumed, saved };
}

/** Its slot holds less than `computed`: its drawn tokens are computed together with the rest of these. */
const again = (computed: Uint32Array, drawn: Uint32Array, places: readonly number[] | undefined) =>
  ({ name: 'prefilling', tokens: joined(computed, drawn), places }) as const;

function joined(first: Uint32Array, second: Uint32Array): Uint32Array {
  // Long prompts have more tokens than a call may have arguments.
  const all = new Uint32Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
