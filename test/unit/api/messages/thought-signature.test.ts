import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { readThought, signThought } from '../../../../src/api/messages/thought-signature.ts';

const key = Buffer.alloc(32, 7);
const proof = createHmac('sha256', key).update('kept caches').digest('base64url');

it('signs nothing else that the server signs, whatever a model thinks', () => {
  expect(signThought('kept caches', key)).not.toContain(proof);
});

it('is taken back as it was given, and not when its thought was changed', () => {
  for (const carriesText of [false, true]) {
    const signature = signThought('Hm.', key, { carriesText });
    expect(readThought({ thinking: carriesText ? '' : 'Hm.', signature }, key)).toBe('Hm.');
    expect(readThought({ thinking: 'Hm?', signature: signature.replace(/.$/, '_') }, key)).toBeUndefined();
  }
});

it('is taken in the form of older conversations', () => {
  expect(readThought({ thinking: 'kept caches', signature: `hearth1.${proof}` }, key)).toBe('kept caches');
  expect(readThought({ thinking: 'kept', signature: `hearth1.${proof}` }, key)).toBeUndefined();
});
