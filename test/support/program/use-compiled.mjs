/** Imported by Node first: loads the programs of hearth as `compile-program.ts` has compiled them, instead of their sources. */
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';

const list = new URL('../../../build/program/compiled.json', import.meta.url);
const compiled = JSON.parse(readFileSync(list, 'utf8'));

// An old Node has no such hooks, and runs nothing of hearth.
nodeModule.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const url = compiled[found.url];
    return url === undefined ? found : { ...found, url, format: 'module' };
  },
});
