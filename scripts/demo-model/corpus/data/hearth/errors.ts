import type { HearthTopic } from './intent.ts';

/** The names under which people know a status: "a 429", "rate_limit_exceeded". */
function status(code: number, ...names: string[]): string {
  const plain = [
    `a ${code}`,
    `error ${code}`,
    `status ${code}`,
    `a ${code} error`,
    `the status code ${code}`,
  ];
  const more = [
    `HTTP ${code}`,
    `the error ${code}`,
    `code ${code}`,
    `a ${code} answer`,
    `the number ${code}`,
  ];
  return `(${[...plain, ...more, ...names].join('|')})`;
}

/** What may go wrong with a request, and the form of errors. */
export const errorTopics: readonly HearthTopic[] = [
  {
    trouble: status(
      429,
      'rate_limit_exceeded',
      'too many requests',
      'a rate limit error',
      'a rate_limit_exceeded',
    ),
    story:
      '(hearth (says|answers|tells me) (429|that I sent too many requests|that my limit is reached)|(my|our) (allowance is|tokens are) (used up|gone) says hearth|(the server|hearth) refuses my requests because of a limit)',
    questions: [
      '(why|how come) (am I|is my client) (rate limited|limited|refused because of too many requests)?',
    ],
    answer: 'A 429 means that your allowance is used up. Wait as many seconds as `Retry-After` says.',
  },
  {
    what: '(Retry-After|the Retry-After header|retry-after|the header Retry-After|the retry-after number)',
    unsure:
      '(how long (to wait|I must wait|one waits) after a 429|how many seconds to wait|when to try again after a 429|what Retry-After (says|means|tells))',
    questions: [
      'what does (Retry-After|the Retry-After header) (mean|say|tell me|contain|count)?',
      'how (long|many seconds) (must|should|do|shall) I wait after (a 429|a rate limit error|too many requests)?',
      'when (may|can|should) I try again after a 429?',
    ],
    answer: '`Retry-After` is the number of whole seconds after which your request is let through.',
  },
  {
    trouble: status(
      401,
      'invalid_api_key',
      'missing_api_key',
      'an invalid_api_key error',
      'unauthorized',
      'an invalid key error',
    ),
    story:
      '(hearth (does not accept|rejects|refuses|does not know|does not like) my key|my key (does not work|is not accepted|is rejected|is refused)(| any more))',
    answer:
      'A 401 means that the key is missing, wrong, revoked or expired. Send `Authorization: Bearer KEY`.',
  },
  {
    trouble: status(
      403,
      'insufficient_permissions',
      'an insufficient_permissions error',
      'forbidden',
      'a permission error',
    ),
    story:
      '(my key (may not do that|is not allowed to do that|lacks the permission)|(hearth|the server) says that I lack (permissions|the permission))',
    answer:
      'A 403 means that this key may not do that. `/admin/v1` needs an admin key, `/v1` an ordinary one.',
  },
  {
    trouble: status(
      404,
      'model_not_found',
      'a model_not_found error',
      'model not found',
      'an unknown model error',
    ),
    story:
      '(hearth (does not find|cannot find|does not know) (my model|the model|{model}|this model)|(my model|{model}) (is not found|is unknown|does not exist) says hearth)',
    answer:
      'A 404 `model_not_found` means that there is no such model. `GET /v1/models` lists the right ids.',
  },
  {
    trouble: status(
      503,
      'server_overloaded',
      'model_loading',
      'a server_overloaded error',
      'a model_loading error',
      'service unavailable',
    ),
    story:
      '(the (server|service) is (overloaded|not available|too busy)|hearth says that (the model is loading|it is overloaded|the queue is full))',
    answer:
      'A 503 means that hearth cannot serve now: the queue is full or the model is loading. Try again later.',
  },
  {
    trouble:
      '(model_load_failed|a model_load_failed error|the error model_load_failed|a failed model load|a model that fails to load)',
    story:
      '((my|a|the) model (does not load|cannot be loaded|will not load|fails to load|refuses to load|did not load)|{model} (does not load|cannot be loaded|fails to load)|hearth cannot load (my model|a model|{model}|a file))',
    questions: [
      'why (does a model not load|can a model not be loaded|does my model not load|does {model} fail to load)?',
    ],
    answer: '`model_load_failed` means that the model file cannot be loaded. `hearth doctor` says why.',
  },
  {
    trouble: status(
      400,
      'a bad request',
      'an invalid request error',
      'bad request',
      'an invalid_request_error',
    ),
    story:
      '(hearth (does not accept|rejects|does not understand) my request|my request is (wrong|bad|invalid) says hearth)',
    answer: 'A 400 means that the request is wrong. The error names the parameter in `param`.',
  },
  {
    trouble: status(
      413,
      'request_too_large',
      'a request_too_large error',
      'payload too large',
      'a body that is too large',
    ),
    unsure: '(how (large|big) (a request|a body|an upload) may be|how many megabytes I may send)',
    story:
      '(my (request|body|upload|audio file) is too (large|big)|hearth refuses a (large|big) (upload|body|file))',
    answer: 'A 413 means that the body is too large: at most 4 MiB of JSON or 25 MiB of audio.',
  },
  {
    trouble: status(
      500,
      'internal_error',
      'an internal_error',
      'an internal server error',
      'internal server error',
    ),
    story: '((hearth|the server) has an internal error|an internal error (came|happened|came back))',
    answer: 'A 500 is a fault in hearth. The message has a request id, and the log has the cause.',
  },
  {
    trouble:
      '(context_length_exceeded|a context_length_exceeded error|a prompt that is too long|the error context_length_exceeded|a context error)',
    story:
      '((my|the) (prompt|conversation|text|chat|history|question) is too long(| for the model)|my (prompt|conversation|chat) does not fit(| into the context)|the conversation (has grown|got|became) too long)',
    questions: [
      'why is my (prompt|conversation|text) too long?',
      '(what happens|what) if my (prompt|conversation|text|chat) (is|gets) too long?',
    ],
    answer: '`context_length_exceeded` means that the prompt does not fit. Shorten it, or raise `context`.',
  },
  {
    what: '(the form of errors|an error of hearth|the error format|the shape of an error|the error object|the JSON of errors|an error body)',
    unsure:
      '(what errors look like|what an error looks like|(which|what) (form|format|shape|fields) (errors|an error) (have|has)|how errors are (written|reported|returned))',
    questions: [
      'what do (errors|error answers|error messages) look like?',
      '(which|what) (form|format|shape|fields) do errors have?',
      'how (are|does hearth report) errors (reported|returned|)?',
      '(error format|error object|error shape|error json)(|?)',
    ],
    answer: 'Every error is JSON: `{"error": {"message", "type", "param", "code"}}`.',
  },
  {
    what: '(x-request-id|the request id|the x-request-id header|a request id|the id of a request)',
    how: '(find|see|look up) (a request in the log|the log line of a request|what went wrong with one request)|(connect|match) (an answer|an error) (with|to) the log',
    unsure: '(what the request id is for|which header has the request id|how to find a request in the log)',
    answer: 'Each answer has an `x-request-id`. The line of that request in the log has the same.',
  },
  {
    what: '(x-ignored-parameters|the header x-ignored-parameters|an unknown parameter|the x-ignored-parameters header|an ignored parameter)',
    unsure:
      '(what happens to unknown parameters|which of my parameters were ignored|what hearth does with parameters that it does not know)',
    whether:
      '(hearth (ignores|rejects|accepts) (unknown|strange|other) parameters|unknown parameters are (ignored|an error|refused))',
    questions: [
      'what (happens|does hearth do) (with|to) (unknown|strange|unsupported) parameters?',
      '(which|what) parameters (were|are) ignored?',
      'what if I send (a parameter that hearth does not know|an unknown parameter|a strange parameter)?',
    ],
    answer: 'Unknown parameters are listed in the response header `x-ignored-parameters`.',
  },
  {
    what: '(the queue|queueLimit|the queue of a model|the waiting line|the queueLimit setting)',
    unsure:
      '(what happens when many (people|users|requests) (come|ask) at once|how many requests may wait|how long the queue is|how (busy|full) the queue may get)',
    questions: [
      'what happens (when|if) (many|too many|a hundred|lots of) (people|users|requests|clients) (come|ask|arrive) at once?',
      'how many requests (may|can) (wait|be in the queue|queue up)?',
      'do requests (wait|queue|stand in line)?',
      '(queue|queue limit|waiting requests|many requests at once)(|?)',
    ],
    answer: 'Requests wait in a fair queue, at most 256 for each model. Beyond that there is a 503.',
  },
  {
    unsure:
      '(what happens (when|if) (a client|my client|the user) (goes away|disconnects|leaves|closes the connection)|whether I pay for (an aborted|a cancelled|a stopped) (request|answer))',
    story:
      '((my|the|a) client (went away|disconnected|closed the connection|left|was closed) (during an answer|in the middle of an answer)|I (aborted|cancelled|stopped) (a request|an answer))',
    whether:
      '(the generation (stops|goes on) when (the client|my client) (leaves|disconnects)|(an aborted|a cancelled) (answer|request) is (charged|free))',
    questions: [
      'what (happens|happens to an answer) when (a client|the client|my client) (goes away|disconnects|leaves|closes the connection)?',
      'do I pay for (an aborted|a cancelled|a stopped|a broken off) (request|answer)?',
    ],
    answer: 'The generation stops at once, and what was computed is charged.',
  },
  {
    unsure:
      '(what (happens|is lost|remains) after a (crash|power cut|kill -9|restart)|whether (limits|balances|usage|keys) survive a (restart|crash|power cut))',
    whether:
      '((limits|balances|usage|keys|the limits|my keys|accounts) (survive|outlive) a (restart|crash|power cut|kill -9)|(a restart|a crash) (resets|clears|deletes) (my limits|the usage|the keys|the balances))',
    story:
      '((the machine|hearth|the server|my computer) (crashed|lost power|was killed|died|had a power cut)|there was a power cut)',
    questions: [
      '(what happens|what|what is lost) (after|with|in) a (crash|kill -9|power cut)?',
      '(do|does) (limits|balances|usage|the limits|my keys|keys) survive a (restart|crash|power cut)?',
      '(do I lose|are) (my keys|the limits|my usage|the balances) (lost |)after a (restart|crash)?',
    ],
    answer: 'Balances, usage and keys survive a restart, and also a crash.',
  },
];
