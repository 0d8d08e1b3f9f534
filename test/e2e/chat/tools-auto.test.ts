import { describe, expect, it } from 'vitest';
import { buildVocabulary } from '../../../scripts/make/tiny-model/vocabulary/vocabulary.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { readCalls, tools } from '../../support/wire/tool-answers.ts';
import { ownTemplates } from '../../support/models/templates.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

/** A model whose call markers are control tokens, as those of most tool models are. */
const controlTexts = ['<tool_call>', '</tool_call>'];
const chat = useChatServer({
  models: async () => ({ marked: await tinyModel({ chatTemplate: ownTemplates.hermes, controlTexts }) }),
});

const callMarker = buildVocabulary(360, controlTexts).entries.findIndex(({ text }) => text === '<tool_call>');

describe('tools that the model may call', () => {
  // Random weights never begin a call by themselves: a bias has them write the marker, and nothing else does.
  it('are called with arguments that fit, from the marker on', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const completion = await chat().client.chat.completions.create({
        model: 'marked',
        messages: [{ role: 'user', content: 'What will the weather be?' }],
        tools,
        parallel_tool_calls: false,
        logit_bias: { [callMarker]: 100 },
        max_tokens: 500,
        seed,
      });
      expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
      expect(readCalls(completion)).toHaveLength(1);
      expect(completion.choices[0]?.message.content).toBeNull();
    }
  });
});
