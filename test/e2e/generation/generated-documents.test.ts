import { BadRequestError } from 'openai';
import { describe, expect, it } from 'vitest';
import { boundedSchemas } from '../../support/grammar/bounded-schemas.ts';
import { textOf } from '../../support/server/chat-client.ts';
import { useChatServer } from '../../support/server/chat-fixture.ts';
import { chatModelIds } from '../../support/models/chat-models.ts';
import {
  complete,
  enoughTokens,
  expectDocument,
  forMany,
  manyTimeoutMs,
} from '../../support/engine/generate-many.ts';
import { schemas } from '../../support/grammar/random-schemas.ts';

const chat = useChatServer({
  settings: Object.fromEntries(chatModelIds.map((id) => [id, { context: 2 * enoughTokens }])),
});

const bodyOf = (model: string, schema: object, extra: object) => ({
  model,
  messages: [{ role: 'user' as const, content: 'Describe the weather.' }],
  response_format: {
    type: 'json_schema' as const,
    json_schema: { name: 'answer', schema: { ...schema } },
  },
  ...extra,
});

describe.for(chatModelIds)('documents of random schemas, %s', (model) => {
  it('come to their end, and are valid', { timeout: manyTimeoutMs }, async () => {
    await forMany(boundedSchemas, async (schema, seed) => {
      const completion = await complete(
        chat().client,
        bodyOf(model, schema, { max_tokens: enoughTokens, seed }),
      );
      expectDocument(textOf(completion), schema);
      expect(completion.choices[0]?.finish_reason).toBe('stop');
    });
  });

  it('of every keyword are valid, unless the schema is refused', { timeout: manyTimeoutMs }, async () => {
    let finished = 0;
    await forMany(schemas, async (schema, seed) => {
      if (typeof schema === 'boolean') return;
      try {
        const body = bodyOf(model, schema, { max_tokens: 300, seed });
        const completion = await chat().client.chat.completions.create(body);
        // Nothing says that these must be short.
        if (completion.choices[0]?.finish_reason === 'length') return;
        expectDocument(textOf(completion), schema);
        finished++;
      } catch (error) {
        if (!(error instanceof BadRequestError)) throw error;
        expect(error.code, JSON.stringify(schema)).toBe('invalid_json_schema');
      }
    });
    expect(finished).toBeGreaterThan(0);
  });
});
