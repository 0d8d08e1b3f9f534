import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { demoModel, demoThinker, useDemoServer } from '../../support/server/demo-server.ts';
import { hasMedia } from '../../support/models/demo-speech.ts';
import { box, colours, disc, drawing, line, toDataUrl } from '../../support/pictures/drawings.ts';

const demo = useDemoServer();

const pictures = {
  redDiscs: drawing(disc(colours.red, [0.3, 0.3], 0.15), disc(colours.red, [0.7, 0.65], 0.15)),
  blueBox: drawing(box(colours.blue, [0.3, 0.3], [0.7, 0.7])),
  seven: drawing(
    line(colours.black, [
      [0.3, 0.2],
      [0.7, 0.2],
      [0.45, 0.8],
    ]),
  ),
  capitalT: drawing(
    line(colours.black, [
      [0.25, 0.2],
      [0.75, 0.2],
    ]),
    line(colours.black, [
      [0.5, 0.2],
      [0.5, 0.8],
    ]),
  ),
  bars: drawing(
    box(colours.red, [0.15, 0.6], [0.3, 0.9]),
    box(colours.green, [0.4, 0.15], [0.55, 0.9]),
    box(colours.blue, [0.65, 0.4], [0.8, 0.9]),
  ),
  nothing: drawing(),
};

async function ask(question: string, files: readonly Buffer[], model = demoModel) {
  const completion = await demo().client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          ...files.map((file) => ({ type: 'image_url' as const, image_url: { url: toDataUrl(file) } })),
          { type: 'text', text: question },
        ],
      },
    ],
    temperature: 0,
  });
  return { text: completion.choices[0]?.message.content ?? '', usage: completion.usage };
}

describe.runIf(hasMedia)('the sight of the demo', () => {
  it('is told', async () => {
    for (const id of [demoModel, demoThinker])
      expect(await demo().client.models.retrieve(id)).toMatchObject({
        capabilities: { supports_image: true },
      });
  });

  it.each([
    ['redDiscs', 'How many red circles are there?', /\b2\b/],
    ['redDiscs', 'How many red circles do you see?', /\b2\b/],
    ['redDiscs', 'How many circles?', /\b2\b/],
    ['redDiscs', 'Count the circles.', /\b2\b/],
    ['redDiscs', 'How many blue squares are there?', /\bno\b/],
    ['redDiscs', 'What colour are the circles?', /red/],
    ['redDiscs', 'What do you see?', /2 red circles/],
    ['blueBox', 'Is there a blue square?', /^Yes/],
    ['blueBox', 'How many squares are there?', /\b1\b/],
    ['blueBox', 'What colour is the square?', /blue/],
    ['seven', 'What number did I write?', /\b7\b/],
    ['seven', 'What is in the picture?', /number 7/],
    ['seven', 'Is this a house?', /^No/],
    ['capitalT', 'What is this?', /letter T/],
    ['bars', 'How many bars are there?', /\b3\b/],
    ['bars', 'What is in the picture?', /3 bars/],
    ['bars', 'Which bar is the tallest?', /green/],
    ['nothing', 'Which number is this?', /empty/],
    ['nothing', 'Is there a star?', /^No/],
    ['redDiscs', 'How many shapes are there?', /\b2\b/],
    ['redDiscs', 'Is there a star?', /^No/],
    ['blueBox', 'How many blue squares are there?', /\b1\b/],
    ['redDiscs', 'What is in the picture?', /2 red circles/],
    ['blueBox', 'What is in the picture?', /blue square/],
    ['seven', 'Which number is this?', /\b7\b/],
    ['capitalT', 'What letter is this?', /\bT\b/],
    ['bars', 'Which bar is the highest?', /green/],
    ['bars', 'Which bar is the lowest?', /red/],
    ['nothing', 'What is in the picture?', /empty/],
  ] as const)('%s: %s', async (picture, question, expected) => {
    expect((await ask(question, [pictures[picture]])).text).toMatch(expected);
  });

  it('takes the picture behind the question too, and goes on about it', async () => {
    const { client } = demo();
    const picture = { type: 'image_url' as const, image_url: { url: toDataUrl(pictures.seven) } };
    const completion = await client.chat.completions.create({
      model: demoModel,
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Which number is this?' }, picture] },
        { role: 'assistant', content: 'It is the number 7.' },
        { role: 'user', content: 'What colour is it?' },
      ],
      temperature: 0,
    });
    expect(completion.choices[0]?.message.content).toContain('black');
  });

  it('answers the same about a picture that it has cached, and something else about another', async () => {
    const question = 'What do you see?';
    const fresh = await ask(question, [pictures.blueBox]);
    const cached = await ask(question, [pictures.blueBox]);
    expect(cached.text).toBe(fresh.text);
    expect(cached.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(16);
    expect((await ask(question, [pictures.seven])).text).not.toBe(fresh.text);
  });

  it('is what the demo that thinks has, too', async () => {
    expect((await ask('Which number is this?', [pictures.seven], demoThinker)).text).toMatch(/\b7\b/);
  });

  it('is small', async () => {
    const path = new URL('../../../models/hearth-demo.mmproj.gguf', import.meta.url);
    expect((await readFile(path)).length).toBeLessThan(4_000_000);
  });
});
