/**
 * Fails where source files import each other in a circle, lazy imports counted; part of `npm run lint`, whose linter
 * overlooks lazy ones. Python files are checked against those of their own folder.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const files = new Set(
  globSync('{src,scripts,test}/**/*.{ts,tsx,mjs,py}', {
    exclude: (name) => name === 'node_modules' || name === '.cache',
  }),
);

/** The files of the checkout that `file` imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const folder = path.dirname(file);
  const isPython = file.endsWith('.py');
  const pattern = isPython
    ? /^\s*(?:from|import) (\w+)/gm
    : /^(?!\s*(?:\*|\/\/)).*?(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/gm;
  return Array.from(text.matchAll(pattern), ([, name = '']) =>
    path.join(folder, isPython ? `${name}.py` : name),
  ).filter((target) => files.has(target));
}

/**
 * The groups of two or more files of which each reaches each other one: Tarjan's strongly connected components, found
 * with one walk.
 */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    open.push(file);
    let low = number;
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === number) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group);
    }
    return low;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}

const imports = new Map(Array.from(files, (file) => [file, importsOf(file)]));
const circles = findCircles(imports);
for (const circle of circles) {
  console.error(`${circle.length} files import each other in a circle:`);
  for (const file of circle) {
    const next = imports.get(file)?.filter((target) => circle.includes(target)) ?? [];
    console.error(`  ${file} → ${next.join(', ')}`);
  }
}
process.exitCode = circles.length > 0 ? 1 : 0;
