import type { Conversation } from '../../conversation.ts';
import { writeFactsExchange } from '../chat/facts.ts';
import { writeHearthExchange } from '../chat/hearth.ts';
import type { Choices } from '../text/choices.ts';
import { conversationOf, type Exchange, plainConversation } from '../text/exchanges.ts';
import { drawFrom } from '../text/forms.ts';
import * as beyond from './beyond.ts';
import {
  writeExactExchange,
  writeKeepingExchanges,
  writePrintedExchange,
  writeShorteningExchange,
} from './copying.ts';
import { writeDayExchange, writeGreetedExchange } from './day.ts';
import { writeFollowingExchanges } from './following.ts';
import { writePuzzleExchange } from './puzzles.ts';
import { ruled } from './rules.ts';
import * as spoken from './spoken.ts';
import { writeSumExchange } from './sums.ts';

const alone = {
  ...spoken.talks,
  terms: spoken.writeTermExchange,
  rare: beyond.writeRareQuestionExchange,
  creations: spoken.writeCreationExchange,
  facts: spoken.writeAskedFactExchange,
  translation: spoken.writeTranslationExchange,
  foreign: spoken.writeForeignExchange,
  day: writeDayExchange,
  greeted: writeGreetedExchange,
  unknown: beyond.writeBeyondExchange,
  'unknown lists': beyond.writeUnknownListExchange,
  code: beyond.writeCodeExchange,
  pastes: beyond.writePasteExchange,
  noise: beyond.writeNoiseExchange,
  moments: beyond.writeMomentExchange,
  whereabouts: beyond.writePlaceExchange,
  user: beyond.writeUserExchange,
  news: beyond.writeNewsExchange,
  opinions: beyond.writeOpinionExchange,
  media: beyond.writeMediaExchange,
  exact: writeExactExchange,
  printed: writePrintedExchange,
  shorten: writeShorteningExchange,
  sums: writeSumExchange,
  puzzles: writePuzzleExchange,
  familiar: writeFamiliarExchange,
} as const;

/** Exchanges that belong together. */
const together = { keep: writeKeepingExchanges, follow: writeFollowingExchanges } as const;

type Kind = keyof typeof alone | keyof typeof ruled | keyof typeof together;
const kinds = Object.fromEntries(
  [alone, ruled, together].flatMap(Object.keys).map((kind) => [kind, kind as Kind]),
) as Record<Kind, Kind>;

const isAlone = (kind: Kind): kind is keyof typeof alone => Object.hasOwn(alone, kind);
const isTogether = (kind: Kind): kind is keyof typeof together => Object.hasOwn(together, kind);
const isRuled = (kind: Kind): kind is keyof typeof ruled => Object.hasOwn(ruled, kind);

/** A conversation that somebody begins, now and then with some other first things before the last. */
export function writeFirstConversation(choices: Choices): Conversation {
  const kind = drawFrom(choices, 'kinds of first things', kinds);
  if (isRuled(kind)) {
    const { system, exchanges } = ruled[kind](choices);
    return conversationOf('first', exchanges, system);
  }
  const count = choices.weighted([
    [0, 60],
    [1, 25],
    [2, 15],
  ]);
  const before = Array.from({ length: count }, () => writeExchangeAlone(choices));
  const asked = isTogether(kind) ? together[kind](choices) : [alone[kind](choices)];
  const [told, ...rest] = asked;
  const between =
    kind === 'keep' && rest.length > 0 && choices.chance(0.3) ? [writeExchangeAlone(choices)] : [];
  return plainConversation(choices, 'first', [...before, ...(told ? [told] : []), ...between, ...rest]);
}

/** An exchange that needs nothing that was said before. */
export function writeExchangeAlone(choices: Choices): Exchange {
  const kind = drawFrom(choices, 'kinds of first things', kinds);
  return isAlone(kind) ? alone[kind](choices) : writeExchangeAlone(choices);
}

/** A fact or a question about hearth of the older groups, without capitals and marks. */
function writeFamiliarExchange(choices: Choices): Exchange {
  const exchange = (choices.chance(0.75) ? writeFactsExchange : writeHearthExchange)(choices);
  return {
    ...exchange,
    question: choices.chance(0.7)
      ? exchange.question.toLowerCase().replace(/[?.!]$/u, '')
      : exchange.question,
  };
}
