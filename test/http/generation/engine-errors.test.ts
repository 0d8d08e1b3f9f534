import { describe, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { engineErrorCases } from '../../support/wire/engine-errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { buildApp, jsonRequest } from '../../support/fakes/http-service.ts';

// test/e2e/requests/engine-errors.test.ts sends the same requests to a real engine.
describe.each(engineErrorCases)('$name', ({ path, body, code, engineParam, wireParam }) => {
  const service = buildApp();
  it.each([false, true])('is refused at the parameter that the client sent (stream: %s)', async (stream) => {
    const error = new AppError(code, 'This cannot be done.', { param: engineParam });
    service.engine.script = { before: [{ fail: error }], steps: [] };
    const response = await service.app.request(...jsonRequest(path, { model: 'tiny', stream, ...body }));
    await expectError(response, code, wireParam);
  });
});
