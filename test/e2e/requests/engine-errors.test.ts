import { describe, it } from 'vitest';
import { useSharedServer } from '../../support/server/chat-fixture.ts';
import { engineErrorCases } from '../../support/wire/engine-errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';

const chat = useSharedServer();

// test/http/generation/engine-errors.test.ts has a fake engine answer the same requests.
describe.each(engineErrorCases)('$name', ({ path, body, code, wireParam }) => {
  it.each([false, true])('is refused at the parameter that the client sent (stream: %s)', async (stream) => {
    const { baseUrl, apiKey } = chat().server;
    const response = await fetch(new URL(path, baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tiny', stream, ...body }),
    });
    await expectError(response, code, wireParam);
  });
});
