import type { HearthTopic } from './intent.ts';

/** The HTTP interface. */
export const apiTopics: readonly HearthTopic[] = [
  {
    how: '(use|connect|point|set up|configure) the (OpenAI|openai) (client|package|library|SDK)',
    questions: [
      "(what is|what's|which is) the (base URL|baseURL|base url|URL|API address)?",
      '(does hearth|can hearth) work with the (OpenAI|openai) (client|package|library|SDK)?',
      'is hearth compatible with OpenAI?',
      'how do I use hearth (from|with|in) (Python|python|JavaScript|TypeScript|my app)?',
    ],
    answer: 'Set the base URL of the OpenAI client to http://127.0.0.1:8080/v1 and use your hearth key.',
  },
  {
    how: '(use|call|ask) (hearth|the API|a model) (with|by|from) curl',
    questions: ['(show|give) me a curl (example|line|command).'],
    answer:
      'Use `curl http://127.0.0.1:8080/v1/chat/completions` with `Authorization: Bearer KEY` and a JSON body.',
  },
  {
    what: '(/v1/chat/completions|chat completions|the chat completions endpoint|the chat endpoint)',
    questions: [
      '(which|what) endpoint (is for chat|do I use to chat|answers chats)?',
      'what does (POST /v1/chat/completions|/v1/chat/completions) do?',
    ],
    answer: '`POST /v1/chat/completions` answers a conversation: send `model` and `messages`.',
  },
  {
    what: '(/v1/completions|the completions endpoint|completions|text completion)',
    questions: [
      'what does (POST /v1/completions|/v1/completions) do?',
      '(which|what) endpoint continues (a text|a prompt)?',
    ],
    answer: '`POST /v1/completions` continues a plain text: send `model` and `prompt`.',
  },
  {
    what: '(/v1/responses|the responses endpoint|the Responses API)',
    questions: [
      'what does (POST /v1/responses|/v1/responses) do?',
      'does hearth (have|support|know) the Responses API?',
    ],
    answer: "`POST /v1/responses` is OpenAI's Responses API: send `model` and `input`.",
  },
  {
    what: '(/v1/embeddings|embeddings|the embeddings endpoint)',
    how: '(get|make|compute|create) (embeddings|an embedding|vectors)',
    questions: ['what does (POST /v1/embeddings|/v1/embeddings) do?'],
    answer: '`POST /v1/embeddings` turns texts into vectors: send `model` and `input`.',
  },
  {
    what: '(/v1/audio/transcriptions|the audio endpoint|the transcriptions endpoint)',
    questions: [
      'what does (POST /v1/audio/transcriptions|/v1/audio/transcriptions) do?',
      '(which|what) endpoint (is for audio|is for speech|takes audio)?',
    ],
    answer: '`POST /v1/audio/transcriptions` turns speech into text: send `model` and `file` as a form.',
  },
  {
    what: '(/v1/models|the models endpoint)',
    questions: ['what does (GET /v1/models|/v1/models) do?', '(which|what) endpoint lists (the |)models?'],
    answer: '`GET /v1/models` lists the models that your key may use.',
  },
  {
    what: '(the admin API|/admin/v1|the admin endpoint|the admin endpoints)',
    how: '(manage|make) (keys|accounts|keys and accounts) (over HTTP|through the API|with the API)',
    answer: '`/admin/v1` manages accounts, keys, plans and usage over HTTP. It needs an admin key.',
  },
  {
    what: '(/healthz|/readyz|the health check|the health endpoint)',
    how: '(check|see|test) (whether|if) hearth is (up|alive|ready|healthy|running)',
    answer: '`GET /healthz` says that the process lives, `GET /readyz` that it can serve.',
  },
  {
    what: '(metrics|/metrics|the metrics endpoint)',
    how: '(monitor hearth|get metrics|use Prometheus|watch hearth with Prometheus)',
    answer: '`GET /metrics` gives numbers for Prometheus.',
  },
  {
    questions: [
      '(where is|is there|where do I find) (the |an |)(API documentation|API docs|OpenAPI document|openapi.json|docs page)?',
      'what is (/docs|/openapi.json)?',
    ],
    answer: 'See `/docs` in a browser, or `GET /openapi.json`.',
  },
  {
    what: '(streaming|stream|stream true)',
    how: '(stream|get) (an answer|answers|tokens|the answer|the tokens) (as they come|piece by piece|token by token|live)',
    questions: ['(does|can) hearth stream?', 'how do I (turn on|switch on|enable|use) streaming?'],
    answer:
      'Send `"stream": true`. The answer then comes as server-sent events and ends with `data: [DONE]`.',
  },
  {
    what: '(tools|tool calling|function calling|tool calls)',
    how: '(use|give|send|call) (tools|functions|a tool)',
    questions: ['(does|can) hearth (support|do|know|have) (tools|tool calling|function calling)?'],
    answer:
      'Send `tools` with a JSON schema for each function. The arguments of a call always fit the schema.',
  },
  {
    what: '(tool_choice|the tool_choice parameter)',
    how: '(force|forbid|require) a tool call',
    answer: '`tool_choice` may be `none`, `auto`, `required`, or one function by its name.',
  },
  {
    what: '(structured output|response_format|json_schema|JSON mode)',
    how: '(get|force|have|make the model answer in|ask for) (JSON|valid JSON|a JSON answer|structured output)',
    answer: 'Send `response_format` with type `json_object` or `json_schema`. The answer then always fits.',
  },
  {
    what: '(reasoning|thinking|a model that ends in -r|the -r models|an -r id|-r)',
    how: '(make|let) (a|the) model (think|reason)( first|)',
    questions: ['(what does|why is there) (the |)-r (mean|at the end of a model id|)?'],
    answer:
      'Ask for the model id with `-r` at its end. It then thinks first, and the thoughts come as `reasoning_content`.',
  },
  {
    what: '(reasoning_effort|the reasoning effort)',
    how: '(set|limit|change) how (long|much) (a|the) model (thinks|reasons)',
    answer: '`reasoning_effort` may be low, medium or high: 512, 2048 or 8192 tokens of thought.',
  },
  {
    what: '(model_not_found|a 404|error 404|status 404|a 404 error)',
    questions: [
      'why (do I get|did I get|is there) (a 404|error 404|model_not_found|model not found)?',
      'what does (404|a 404|error 404|model_not_found|model not found) mean?',
      'hearth (does not find|cannot find) my model.',
    ],
    answer:
      'A 404 `model_not_found` means that there is no such model. `GET /v1/models` lists the right ids.',
  },
  {
    what: '(a 503|error 503|status 503|server_overloaded|model_loading)',
    questions: [
      'why (do I get|did I get|is there) (a 503|error 503|server_overloaded|model_loading)?',
      'what does (503|a 503|error 503|server_overloaded|model_loading) mean?',
    ],
    answer:
      'A 503 means that hearth cannot serve now: the queue is full or the model is loading. Try again later.',
  },
  {
    what: '(model_load_failed|a model that fails to load)',
    questions: ['why (does a model not load|can a model not be loaded|does my model not load)?'],
    answer: '`model_load_failed` means that the model file cannot be loaded. `hearth doctor` says why.',
  },
  {
    what: '(a 400|error 400|status 400|a bad request)',
    questions: ['why (do I get|did I get) (a 400|error 400)?', 'what does (400|a 400|error 400) mean?'],
    answer: 'A 400 means that the request is wrong. The error names the parameter in `param`.',
  },
  {
    what: '(a 413|error 413|request_too_large)',
    questions: ['why (do I get|did I get) (a 413|error 413)?', 'what does (413|a 413|error 413) mean?'],
    answer: 'A 413 means that the body is too large: at most 4 MiB of JSON or 25 MiB of audio.',
  },
  {
    what: '(a 500|error 500|status 500|internal_error)',
    questions: ['why (do I get|did I get) (a 500|error 500)?', 'what does (500|a 500|error 500) mean?'],
    answer: 'A 500 is a fault in hearth. The message has a request id, and the log has the cause.',
  },
  {
    what: '(context_length_exceeded|a prompt that is too long)',
    questions: [
      '(what happens|what) if my (prompt|conversation|text) is too long?',
      'why is my prompt too long?',
    ],
    answer: '`context_length_exceeded` means that the prompt does not fit. Shorten it, or raise `context`.',
  },
  {
    what: '(the form of errors|an error of hearth|the error format)',
    questions: ['what do errors look like?', '(which|what) (form|format|shape) (do|have) errors (have|)?'],
    answer: 'Every error is JSON: `{"error": {"message", "type", "param", "code"}}`.',
  },
  {
    what: '(temperature|the temperature|the default temperature)',
    how: '(set|change|lower|raise) the temperature',
    answer: 'Send `temperature`. The default is 1, and 0 always takes the likeliest token.',
  },
  {
    what: '(the seed|seed|the seed parameter)',
    how: '(get|have) the same (answer|text) (again|each time|twice)',
    answer: 'Send a `seed`. The same request then gives the same text.',
  },
  {
    what: '(max_tokens|max_completion_tokens)',
    how: '(limit|cap|bound) the (length of an answer|number of tokens|answer length)',
    answer: 'Send `max_tokens`. The answer then ends after that many tokens, with `finish_reason` `length`.',
  },
  {
    what: '(stop sequences|a stop sequence|the stop parameter)',
    how: '(stop|end) (an answer|the answer) at a (word|certain word|certain text)',
    answer: 'Send `stop` with one or more texts. The answer ends before the first of them.',
  },
  {
    what: '(x-ignored-parameters|an unknown parameter)',
    questions: ['what (happens|does hearth do) (with|to) unknown parameters?'],
    answer: 'Unknown parameters are listed in the response header `x-ignored-parameters`.',
  },
  {
    what: '(CORS|corsOrigins)',
    how: '(call hearth from a web page|allow a web page|use hearth in a browser)',
    answer: 'Web pages on localhost may call hearth. Allow others with `corsOrigins` in `hearth.yaml`.',
  },
  {
    what: '(the queue|queueLimit)',
    questions: ['what happens (when|if) (many|too many) (people|users|requests) (come|ask) at once?'],
    answer: 'Requests wait in a fair queue, at most 256 for each model. Beyond that there is a 503.',
  },
  {
    questions: [
      'what (happens|if) (when |)(a client|the client|my client) (goes away|disconnects|leaves|closes the connection)?',
      'do I pay for (an aborted|a cancelled|a stopped) (request|answer)?',
    ],
    answer: 'The generation stops at once, and what was computed is charged.',
  },
  {
    questions: [
      '(what happens|what) (after|with) a (crash|kill -9|power cut)?',
      '(do|does) (limits|balances|usage|the limits) survive a (restart|crash)?',
    ],
    answer: 'Balances, usage and keys survive a restart, and also a crash.',
  },
  {
    questions: [
      '(can|does) hearth (see|understand|read|take) (images|pictures|photos)?',
      'can I send (an image|a picture|images)?',
    ],
    answer:
      'Images work only with a model that has vision. With others they are a 400 `unsupported_content`.',
  },
];
