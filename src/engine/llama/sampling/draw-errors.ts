import { AppError } from '../../../errors/errors.ts';

/** `computed`: the model's result for a prompt, which is of no use. */
export const brokenModel = (computed = 'no numbers (NaN)'): AppError =>
  new AppError(
    'model_broken',
    `The model computes ${computed} from this prompt, so there is no answer, and asking again does not help. ` +
      'Its file is damaged, or it needs another precision than it was converted to: take another file of the model.',
  );

export const tooManyAlternatives = (): AppError =>
  new AppError(
    'schema_too_complex',
    'The schema has so many alternatives at one place of the answer that finding the next token takes too long. ' +
      'Use fewer branches of anyOf, oneOf or enum there, or let them begin differently.',
  );
