import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';
import type { DocumentChecker, ExpectedBody, RequestLine } from './document-checker.ts';

/** Problems of the responses since the last look. */
const problems: string[] = [];

export function expectNoProblems(): void {
  expect(problems.splice(0), 'responses that /openapi.json does not describe').toEqual([]);
}

export interface CheckedRequest extends RequestLine {
  /** Its body where that is known and JSON. */
  readonly json: string | undefined;
}

/**
 * A response like `response` whose head, body and events are compared with the document while they are read.
 * A problem makes the test fail at its end, and changes nothing before that.
 */
export async function checkResponse(
  checker: DocumentChecker,
  request: CheckedRequest,
  response: Response,
): Promise<Response> {
  const { status, statusText, headers } = response;
  const report = (problem: string): void => {
    problems.push(`${request.method} ${request.path} → ${status}: ${problem}`);
  };
  if (response.ok && request.json !== undefined) {
    const problem = checker.findRequestProblem(request, JSON.parse(request.json) as object);
    if (problem !== undefined)
      report(`the request is not documented: ${problem}: ${request.json.slice(0, 1000)}`);
  }
  let expected: ExpectedBody;
  try {
    expected = checker.expectedBody({ ...request, status, headers });
  } catch (error) {
    report((error as Error).message);
    return response;
  }
  if (response.body === null || expected.kind === 'any') return response;
  if (expected.kind === 'none') {
    // fetch gives an answer of no bytes a body too, unless its status rules one out.
    const body = await response.text();
    if (body !== '') report('a body is not documented');
    return new Response(body === '' ? null : body, { status, statusText, headers });
  }
  const { findProblem } = expected;
  const check = (json: string): void => {
    const problem = isJson(json) ? findProblem(JSON.parse(json)) : 'it is no JSON';
    if (problem !== undefined) report(`${problem}: ${json.slice(0, 1000)}`);
  };
  if (expected.kind === 'events') {
    return new Response(withCheckedEvents(response.body, check), { status, statusText, headers });
  }
  const text = await response.text();
  if (expected.kind === 'lines') for (const line of text.trimEnd().split('\n')) check(line);
  else check(text);
  return new Response(text, { status, statusText, headers });
}

/** `body` as it is, no part of it read before it is asked for; `check` gets the data of each event. */
function withCheckedEvents(body: ReadableStream<Uint8Array>, check: (json: string) => void) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (data !== '[DONE]') check(data);
    },
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        parser.feed(decoder.decode(value, { stream: true }));
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
