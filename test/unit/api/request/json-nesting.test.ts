import { fc } from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { toWellFormedJson } from '../../../../src/api/request/json-nesting.ts';
import { isNestedDeeper } from '../../../../src/json-parts.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const json = fc.jsonValue({ maxDepth: 6 });

describe('isNestedDeeper', () => {
  it('agrees with the parsed value, whatever its strings hold', () => {
    fc.assert(
      fc.property(json, fc.nat(7), (value, depth) => {
        const nested = { '[{"\\': value, text: '[[[[[[[[[[{{{{{{{{{"' };
        expect(isNestedDeeper(JSON.stringify(nested), depth)).toBe(depthOf(nested) > depth);
      }),
    );
  });

  it.each(['', '"', '\\', '"\\', ']]]]', 'no JSON: [', '["a\\"[[[["]'])('takes %j for what it is', (text) => {
    expect(isNestedDeeper(text, 1)).toBe(false);
  });
});

describe('toWellFormedJson', () => {
  it('is the value itself where that is well-formed and not too deep', () => {
    fc.assert(
      fc.property(json, fc.nat(7), (value, depth) => {
        const copy = toWellFormedJson(value, depth);
        if (depthOf(value) > depth) expect(copy).toBeUndefined();
        else expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('replaces lone surrogates in texts and names, and keeps hostile names plain', () => {
    const value: unknown = JSON.parse('{"__proto__":{"\\udc00":["\\ud83d","\\ud83d\\ude00"]}}');
    const copy = toWellFormedJson(value, 3);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"\ufffd":["\ufffd","😀"]}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});
