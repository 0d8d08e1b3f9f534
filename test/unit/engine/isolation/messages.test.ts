import { deserialize, serialize } from 'node:v8';
import { expect, it } from 'vitest';
import {
  fromSentEnd,
  fromSentError,
  toSentEnd,
  toSentError,
} from '../../../../src/engine/isolation/messages.ts';
import { DeviceFullError } from '../../../../src/engine/pool/loadable.ts';
import { AppError } from '../../../../src/errors/errors.ts';

/** On its way to another process. */
const sent = <Value>(value: Value): Value => deserialize(serialize(value)) as Value;

it('brings errors over with all that clients and the pool read of them', () => {
  const details = { param: 'logit_bias', retryAfterSeconds: 3 };
  const error = fromSentError(sent(toSentError(new AppError('invalid_value', 'No.', details))));
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'invalid_value', message: 'No.', ...details });
  expect(fromSentError(sent(toSentError(new DeviceFullError('full'))))).toBeInstanceOf(DeviceFullError);
  expect(fromSentError(sent(toSentError(new TypeError('odd'))))).toMatchObject({ message: 'odd' });
});

it('brings ends over, failed or not', () => {
  const finished = { outcome: 'finished', vectors: [Float32Array.of(1, 2)] };
  expect(fromSentEnd(sent(toSentEnd(finished)))).toEqual(finished);
  const failed = { outcome: 'failed', error: new AppError('engine_error', 'No.'), usage: {} };
  const received = fromSentEnd(sent(toSentEnd(failed)));
  expect(received).toMatchObject({ outcome: 'failed', error: { code: 'engine_error' } });
});
