import { expect, it } from 'vitest';
import { textsAround } from '../../../../src/engine/prompt/conversation.ts';
import { toContent } from '../../../../src/engine/upstream/wire/generation/message-parts.ts';
import { pictureFile, pictures } from '../../../support/pictures/pictures.ts';

const file = pictureFile('rgb.png');
const at = (offset: number) => ({ kind: 'picture' as const, offset, file });
const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${pictures['rgb.png']}` } };
const text = (said: string) => ({ type: 'text', text: said });

it('cuts a text where its attachments stand', () => {
  expect(textsAround('Look: what?', [at(0), at(5), at(5), at(11)])).toEqual(['', 'Look:', '', ' what?', '']);
  expect(textsAround('Hello', [])).toEqual(['Hello']);
});

it('servers elsewhere get the parts of a message in their order, and a text alone as it is', () => {
  const attachments = [at(0), at(5), at(5)];
  expect(toContent({ role: 'user', content: 'Look: what?', attachments })).toEqual([
    image,
    text('Look:'),
    image,
    image,
    text(' what?'),
  ]);
  expect(toContent({ role: 'user', content: 'Hello' })).toBe('Hello');
});
