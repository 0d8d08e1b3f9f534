import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const webFolder = new URL('../../../src/web/', import.meta.url).pathname;

/** The classes that a style sheet styles wherever they stand: those of its selectors that are one class alone. */
function ownClasses(css: string): ReadonlySet<string> {
  const bare = css.replaceAll(/\/\*.*?\*\//gs, '');
  const selectors = [...bare.matchAll(/(?<=(?:^|[{};,])\s*)\.([\w-]+)(?=\s*[,{])/g)];
  return new Set(selectors.map(([, name = '']) => name));
}

/** What all rooms share, which a room may change for itself. */
const shared = new Set(['styles', 'ui']);

it('has each class in the sheets of one room: those of all views that were opened hold together', () => {
  const places = globSync('**/*.css', { cwd: webFolder }).flatMap((path) => {
    const [room = ''] = path.split('/');
    return shared.has(room)
      ? []
      : [...ownClasses(readFileSync(webFolder + path, 'utf8'))].map((name) => ({ name, room }));
  });
  expect(places.length).toBeGreaterThan(50);
  const rooms = [...Map.groupBy(places, ({ name }) => name)].map(
    ([name, all]) => [name, ...new Set(all.map(({ room }) => room))] as const,
  );
  expect(rooms.filter(({ length }) => length > 2)).toEqual([]);
});

/** One part of a selector between combinators that a new piece of an answer may match, whatever else it says. */
const isOfAnswers = (part: string) =>
  !/[.#]/.test(part) && !/^(?:dialog|form|header|iframe|small|textarea)\b/.test(part);

it('has no rule that is asked anew, or styles anything, with each piece of an answer', () => {
  const all = globSync('**/*.css', { cwd: webFolder }).flatMap((path) =>
    readFileSync(webFolder + path, 'utf8')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .split(/[{};]/),
  );
  // Beside anything, anything: each row that is added has those of its table styled anew.
  expect(all.filter((text) => /\*\s*[+~]\s*\*/.test(text))).toEqual([]);
  const selectors = all.filter((text) => text.includes(':has('));
  expect(selectors.length).toBeGreaterThan(30);
  const argument = /:has\(((?:[^()]|\([^()]*\))*)\)/g;
  const partsOf = (selector: string) => selector.split(/[\s,>+~]+/).filter((part) => part !== '');
  const asked = selectors.flatMap((text) =>
    [...text.matchAll(argument)].flatMap(([, of = '']) => partsOf(of)),
  );
  // A browser takes an attribute, and :not and :is, for that which any element may have.
  expect(asked.filter((part) => isOfAnswers(part) || /\[|:not|:is/.test(part))).toEqual([]);
  // What stands alone at the end of one is styled anew wherever it is.
  const styled = selectors.map((text) => partsOf(text.replaceAll(argument, '.asked')).at(-1) ?? '');
  expect(styled.filter((part) => isOfAnswers(part) && !part.startsWith('['))).toEqual([]);
});
