import { fileURLToPath } from 'node:url';
import { readGgufFileInfo } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../scripts/demo-model/conversation.ts';
import { Choices } from '../../scripts/demo-model/corpus/choices.ts';
import { corpusGroups } from '../../scripts/demo-model/corpus/groups.ts';
import { toTrainingExamples } from '../../scripts/demo-model/render.ts';
import { toWireMessages, toWireTools } from '../../scripts/demo-model/to-wire.ts';
import { Tokenizer } from '../../scripts/demo-model/tokenizer.ts';
import type { Merge } from '../../scripts/tiny-model/byte-pair-encoding.ts';
import { demoModel, demoThinker, useDemoServer } from '../support/demo-server.ts';

const demoFile = fileURLToPath(new URL('../../models/hearth-demo.gguf', import.meta.url));
const conversationsPerGroup = 5;

const demo = useDemoServer();

describe.for(corpusGroups)('a prompt of the group $group', ({ write }) => {
  it('is as long when served as it was in training', async () => {
    const tokenizer = await readTokenizer();
    const choices = new Choices(77);
    for (let left = conversationsPerGroup; left > 0; left--) {
      const conversation = write(choices);
      expect(await servedPromptTokens(conversation), JSON.stringify(conversation)).toBe(
        trainedPromptTokens(conversation, tokenizer),
      );
    }
  });
});

async function readTokenizer(): Promise<Tokenizer> {
  const { metadata } = await readGgufFileInfo(demoFile, { logWarnings: false });
  const { tokens, merges } = metadata.tokenizer.ggml as unknown as { tokens: string[]; merges: string[] };
  return new Tokenizer({ tokens, merges: merges.map((merge) => merge.split(' ') as unknown as Merge) });
}

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
