import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const zodWords = /^(?:Invalid|Too|Expected|Unrecognized)/;

const expectedForms: Readonly<Record<string, string>> = {
  array: 'must be a list, whose entries begin with "- " or stand in [ ]',
  object: 'must be a map, with lines of the form "key: value" or { key: value }',
  record: 'must be a map, with lines of the form "key: value" or { key: value }',
  string: 'must be a text; put it in quotes where it looks like a number',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
};

/** What is wrong with a value, in the words of somebody who writes YAML; it completes a sentence about its key. */
export function describeIssue(issue: Issue, given: unknown): string {
  if (given === null) return 'has no value: write one, or remove the line';
  // A size or a duration tells more than that it may be one.
  const told = issue.code === 'invalid_union' && issue.errors.flat().find(({ code }) => code === 'custom');
  if (told) return told.message;
  // Where the schema has words of its own, they tell more.
  if (!zodWords.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const form = expectedForms[issue.expected] ?? issue.message;
      return given === undefined ? `is missing: it ${form}` : form;
    }
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'array'
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'invalid_key':
      // The fault of a key that is a name of its own, such as a label, stands inside the issue.
      return (issue.issues[0] ?? issue).message;
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
      return issue.message;
    default:
      return issue satisfies never;
  }
}
