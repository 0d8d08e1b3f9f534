import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../scripts/demo/text/conversation.ts';
import { Choices } from '../../../scripts/demo/text/corpus/text/choices.ts';
import { corpusGroups } from '../../../scripts/demo/text/corpus/groups.ts';
import { toTrainingExamples } from '../../../scripts/demo/text/render.ts';
import { toWireMessages, toWireTools } from '../../../scripts/demo/text/evaluation/to-wire.ts';
import { Tokenizer } from '../../../scripts/demo/text/tokenizer.ts';
import {
  demoModel,
  demoThinker,
  readDemoTokenizer,
  useDemoServer,
} from '../../support/server/demo-server.ts';

const conversationsPerGroup = 5;

const demo = useDemoServer();

describe.for(corpusGroups)('a prompt of the group $group', ({ write }) => {
  it('is as long when served as it was in training', async () => {
    const tokenizer = new Tokenizer(await readDemoTokenizer());
    const choices = new Choices(77);
    for (let left = conversationsPerGroup; left > 0; left--) {
      const conversation = write(choices);
      expect(await servedPromptTokens(conversation), JSON.stringify(conversation)).toBe(
        trainedPromptTokens(conversation, tokenizer),
      );
    }
  });
});

/** Tokens before those that the model wrote last. */
function trainedPromptTokens(conversation: Conversation, tokenizer: Tokenizer): number {
  const learned = toTrainingExamples(conversation, tokenizer).at(-1)?.learned ?? [];
  const end = learned.lastIndexOf(true);
  return learned.lastIndexOf(false, end) + 1;
}

async function servedPromptTokens({ messages, tools = [], thinking }: Conversation): Promise<number> {
  const completion = await demo().client.chat.completions.create({
    model: thinking === true ? demoThinker : demoModel,
    messages: toWireMessages(messages.slice(0, -1)),
    max_tokens: 1,
    ...(tools.length === 0 ? {} : { tools: toWireTools(tools) }),
  });
  return completion.usage?.prompt_tokens ?? 0;
}
