import { AppError } from '../../../errors/errors.ts';

export const brokenModel = (): AppError =>
  new AppError(
    'model_broken',
    'The model computes no numbers (NaN) from this prompt, so there is no answer, and asking again does not help. ' +
      'Its file is damaged, or it needs another precision than it was converted to: take another file of the model.',
  );

export const tooManyAlternatives = (): AppError =>
  new AppError(
    'schema_too_complex',
    'The schema has so many alternatives at one place of the answer that finding the next token takes too long. ' +
      'Use fewer branches of anyOf, oneOf or enum there, or let them begin differently.',
  );
