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

/** Tags that answers have. A browser takes an attribute in `:has()` for one that any element may have. */
const tagsOfAnswers = /^(?:\*|p|li|t[dhr]|tbody|button|input|span|div|code|pre|a|img|h\d)?(?:[:[]|$)/;

it('asks with :has() for nothing that comes with each piece of an answer: all of it would be styled anew', () => {
  const asked = globSync('**/*.css', { cwd: webFolder }).flatMap((path) =>
    [...readFileSync(webFolder + path, 'utf8').matchAll(/:has\(((?:[^()]|\([^()]*\))*)\)/g)].flatMap(
      ([, argument = '']) => argument.split(/[\s,>+~]+/).filter((one) => one !== ''),
    ),
  );
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter((one) => tagsOfAnswers.test(one) || /\[|:not|:is/.test(one))).toEqual([]);
});
