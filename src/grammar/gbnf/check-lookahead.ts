import type { Work } from '../budget/work.ts';
import { intersectChars, noChars, uniteChars, type CharSet } from '../char-set.ts';
import { invalidGrammar } from './parse-gbnf.ts';
import { callsIn, textIn, type RuleAutomaton } from './rule-automata.ts';

/** A state of a rule's automaton, and the texts that may follow there. */
interface Place {
  readonly rule: number;
  readonly accepts: boolean;
  readonly text: CharSet;
  /** A rule is called, and `next` is the place after it. */
  readonly calls: readonly { readonly rule: number; readonly next: Place }[];
  /** The rule may end here, perhaps through calls that match the empty text. */
  mayEnd: boolean;
  first: CharSet;
}

/**
 * Throws AppError invalid_value unless the next character always tells how a text of the grammar goes on (the grammar
 * is LL(1), once the rules that are not recursive are written into the others). llama.cpp follows every way that a
 * grammar leaves open, on the main thread and without a limit: of other grammars these may double with every character.
 */
export function checkLookahead(rules: readonly RuleAutomaton[], work: Work): void {
  const places = toPlaces(rules);
  const starts = rules.map((_, rule) => places.find((place) => place.rule === rule));
  const startOf = (rule: number) => starts[rule];
  const mayPass = ({ rule, next }: Place['calls'][number]) => startOf(rule)?.mayEnd === true && next.mayEnd;
  untilStable(work, places, (place) => {
    if (place.mayEnd || !place.calls.some(mayPass)) return false;
    place.mayEnd = true;
    return true;
  });
  refuseEndless(rules, places, startOf);
  untilStable(work, places, (place) => {
    const first = uniteChars([place.text, ...place.calls.map((call) => afterCall(call, startOf))]);
    if (isSame(first, place.first)) return false;
    place.first = first;
    return true;
  });
  const follow = rules.map((): CharSet => noChars);
  untilStable(work, places, (place) => {
    let isNew = false;
    for (const { rule, next } of place.calls) {
      const known = follow[rule] ?? noChars;
      const more = uniteChars([known, next.first, next.mayEnd ? (follow[place.rule] ?? noChars) : noChars]);
      if (isSame(more, known)) continue;
      follow[rule] = more;
      isNew = true;
    }
    return isNew;
  });
  for (const place of places) {
    const after = follow[place.rule] ?? noChars;
    const ways = place.calls.map((call) =>
      uniteChars([afterCall(call, startOf), mayPass(call) ? after : noChars]),
    );
    mustBeDisjoint([place.text, ...ways, place.accepts ? after : noChars], rules[place.rule]?.name ?? '');
  }
}

type StartOf = (rule: number) => Place | undefined;

/** The characters with which a text goes on where `rule` is called. */
function afterCall({ rule, next }: Place['calls'][number], startOf: StartOf): CharSet {
  const start = startOf(rule);
  return uniteChars([start?.first ?? noChars, start?.mayEnd === true ? next.first : noChars]);
}

function toPlaces(rules: readonly RuleAutomaton[]): Place[] {
  return rules.flatMap(({ states }, rule) => {
    const places = states.map(({ accepts, edges }) => ({
      rule,
      accepts,
      text: textIn(uniteChars(edges.map(({ chars }) => chars))),
      calls: [] as { rule: number; next: Place }[],
      mayEnd: accepts,
      first: noChars,
    }));
    for (const [index, { edges }] of states.entries())
      for (const { chars, target } of edges)
        for (const called of callsIn(chars)) {
          const next = places[target];
          if (next !== undefined) places[index]?.calls.push({ rule: called, next });
        }
    return places;
  });
}

/** Throws where a rule can begin with itself, or be repeated without end without matching anything. */
function refuseEndless(rules: readonly RuleAutomaton[], places: readonly Place[], startOf: StartOf): void {
  const open = new Set<Place>();
  const done = new Set<Place>();
  const visit = (place: Place | undefined): void => {
    if (place === undefined || done.has(place)) return;
    if (open.has(place))
      throw invalidGrammar(
        `the rule '${rules[place.rule]?.name ?? ''}' can begin with itself; let something else come first`,
      );
    open.add(place);
    for (const { rule, next } of place.calls) {
      visit(startOf(rule));
      if (startOf(rule)?.mayEnd === true) visit(next);
    }
    open.delete(place);
    done.add(place);
  };
  for (const place of places) visit(place);
}

/** Calls `change` for all places again and again, until it reports no change of any. */
function untilStable(work: Work, places: readonly Place[], change: (place: Place) => boolean): void {
  for (let isChanging = true; isChanging;) {
    isChanging = false;
    for (const place of places.toReversed()) {
      work.spend(5 + place.calls.length * 5 + place.first.length);
      if (change(place)) isChanging = true;
    }
  }
}

function mustBeDisjoint(ways: readonly CharSet[], name: string): void {
  let seen = noChars;
  for (const way of ways) {
    const [char] = intersectChars(seen, way);
    if (char !== undefined)
      throw invalidGrammar(
        `in the rule '${name}' the character ${JSON.stringify(String.fromCodePoint(char))} can be read in two ways; ` +
          'let alternatives begin differently, or what follows a repetition differ from what is repeated',
      );
    seen = uniteChars([seen, way]);
  }
}

const isSame = (one: CharSet, other: CharSet) =>
  one.length === other.length && one.every((code, at) => code === other[at]);
