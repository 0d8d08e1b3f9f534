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
