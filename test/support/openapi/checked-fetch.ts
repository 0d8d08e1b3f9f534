import { checkResponse } from './checked-responses.ts';
import { DocumentChecker } from './document-checker.ts';
import type { OpenApiDocument } from './document-checker.ts';

const unchecked = globalThis.fetch;
/** By origin of a server. */
const checkers = new Map<string, DocumentChecker>();
/** By the file of a program: the documents of its servers differ in the models of examples only. */
const checkersOfPrograms = new Map<string, DocumentChecker>();

/**
 * From now on responses from `origin` to fetch, in a test or in a client, are checked against the document of its
 * program.
 */
export async function checkFetchedResponses(origin: string, program: string): Promise<void> {
  const checker = checkersOfPrograms.get(program) ?? (await openChecker(origin));
  checkersOfPrograms.set(program, checker);
  checkers.set(origin, checker);
  globalThis.fetch = checkedFetch;
}

async function openChecker(origin: string): Promise<DocumentChecker> {
  const response = await unchecked(`${origin}/openapi.json`);
  return new DocumentChecker((await response.json()) as OpenApiDocument);
}

/** For a server that is gone: another one may get its port. */
export function uncheckResponses(origin: string): void {
  checkers.delete(origin);
}

async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await unchecked(input, init);
  const isRequest = input instanceof Request;
  const { origin, pathname: path } = new URL(isRequest ? input.url : input);
  const checker = checkers.get(origin);
  if (checker === undefined) return response;
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  const json = typeof init?.body === 'string' ? init.body : undefined;
  return checkResponse(checker, { method: method.toUpperCase(), path, json }, response);
}
