import type { HearthTopic } from './intent.ts';

/** The HTTP interface. */
export const apiTopics: readonly HearthTopic[] = [
  {
    how: '(use|connect|point|set up|configure|redirect|link|adapt|aim) (the OpenAI|the openai|the official OpenAI|my OpenAI) (client|package|library|SDK|app|code)(|| to hearth| for hearth)|(connect|link|hook up|point) (my app|my program|a client|an OpenAI client|my code) to hearth|(use|call) hearth (from|in) (Python|JavaScript|TypeScript|my app|my own program|a script)',
    questions: [
      "(what is|what's|which is) the (base URL|baseURL|base url|URL|API address)?",
      '(does hearth|can hearth) work with the (OpenAI|openai) (client|package|library|SDK)?',
      'is hearth compatible with OpenAI?',
      'how do I use hearth (from|with|in) (Python|python|JavaScript|TypeScript|my app)?',
    ],
    unsure:
      '((what|which) the base URL is|how to connect (the OpenAI client|my app|my program) (to|with) hearth|which address (my client|the OpenAI client) needs|whether hearth works with the OpenAI (client|package))',
    whether:
      '(hearth (works with|is compatible with|understands|can be used with) (OpenAI|the OpenAI client|OpenAI clients|the openai package)|I can (use|keep) my OpenAI (client|code) with hearth)',
    story: '(I have (an app|a program|code) (that uses|written for) (OpenAI|the OpenAI client|ChatGPT))',
    answer: 'Set the base URL of the OpenAI client to http://127.0.0.1:8080/v1 and use your hearth key.',
  },
  {
    how: '(use|call|ask|query|reach|test|try) (hearth|the API|a model|the server|the chat endpoint) (with|by|from|through|by means of) curl|(send|make|write) (a request|a question|a prompt|a call) with curl',
    questions: ['(show|give) me a curl (example|line|command).'],
    unsure: '(how to (call|ask|use) hearth with curl|which curl line (works|asks a model))',
    answer:
      'Use `curl http://127.0.0.1:8080/v1/chat/completions` with `Authorization: Bearer KEY` and a JSON body.',
  },
  {
    what: '(/v1/chat/completions|chat completions|the chat completions endpoint|the chat endpoint|the endpoint for chats|POST /v1/chat/completions|the chat API)',
    questions: [
      '(which|what) endpoint (is for chat|do I use to chat|answers chats)?',
      'what does (POST /v1/chat/completions|/v1/chat/completions) do?',
    ],
    unsure:
      '(which endpoint (is for chat|answers chats|chats)|what /v1/chat/completions does|where to send a conversation)',
    answer: '`POST /v1/chat/completions` answers a conversation: send `model` and `messages`.',
  },
  {
    what: '(/v1/completions|the completions endpoint|completions|text completion|POST /v1/completions|plain completions|the text completion endpoint)',
    questions: [
      'what does (POST /v1/completions|/v1/completions) do?',
      '(which|what) endpoint continues (a text|a prompt)?',
    ],
    unsure:
      '(which endpoint continues a (text|prompt)|what /v1/completions does|where to send a plain prompt)',
    how: '(continue|complete|finish|extend|go on with) (a plain text|a text|a prompt|a sentence|my text) (over|through|with|by) the API',
    answer: '`POST /v1/completions` continues a plain text: send `model` and `prompt`.',
  },
  {
    what: '(/v1/responses|the responses endpoint|the Responses API|POST /v1/responses|the endpoint for responses|the newer OpenAI API)',
    questions: [
      'what does (POST /v1/responses|/v1/responses) do?',
      'does hearth (have|support|know) the Responses API?',
    ],
    unsure:
      '(what /v1/responses does|whether hearth has the Responses API|which endpoint is the Responses API)',
    whether: '(hearth (has|supports|knows|offers) the Responses API)',
    answer: "`POST /v1/responses` is OpenAI's Responses API: send `model` and `input`.",
  },
  {
    what: '(/v1/embeddings|embeddings|the embeddings endpoint|an embedding|POST /v1/embeddings|the endpoint for vectors)',
    how: '(get|make|compute|create|calculate|produce|request) (embeddings|an embedding|vectors|a vector|text embeddings|embeddings of my texts)|(turn|convert) (texts|a text|sentences|documents) into (vectors|a vector|embeddings|numbers)|compare texts by their meaning',
    questions: ['what does (POST /v1/embeddings|/v1/embeddings) do?'],
    unsure:
      '(which endpoint (makes|computes) (embeddings|vectors)|what /v1/embeddings does|how texts become vectors)',
    whether: '(hearth (makes|computes|has|offers|supports) (embeddings|vectors))',
    answer: '`POST /v1/embeddings` turns texts into vectors: send `model` and `input`.',
  },
  {
    what: '(/v1/audio/transcriptions|the audio endpoint|the transcriptions endpoint|the speech endpoint|POST /v1/audio/transcriptions|the endpoint for audio)',
    questions: [
      'what does (POST /v1/audio/transcriptions|/v1/audio/transcriptions) do?',
      '(which|what) endpoint (is for audio|is for speech|takes audio)?',
    ],
    unsure:
      '(which endpoint (takes audio|is for speech|is for audio)|what /v1/audio/transcriptions does|where (to send|a program sends) audio (over HTTP|in the API))',
    answer: '`POST /v1/audio/transcriptions` turns speech into text: send `model` and `file` as a form.',
  },
  {
    what: '(/v1/models|the models endpoint|GET /v1/models|the endpoint of models|the model list endpoint)',
    questions: ['what does (GET /v1/models|/v1/models) do?', '(which|what) endpoint lists (the |)models?'],
    unsure: '(which endpoint lists (the |)models|what /v1/models does)',
    answer: '`GET /v1/models` lists the models that your key may use.',
  },
  {
    what: '(the admin API|/admin/v1|the admin endpoint|the admin endpoints|the administration API|the HTTP interface for admins)',
    how: '(manage|make|create|administer|handle|control) (keys|accounts|keys and accounts|plans and keys|users and keys) (over HTTP|through the API|with the API|from a program|by HTTP|remotely)|administer hearth (over HTTP|remotely|from a program)',
    unsure:
      '(what the admin API (does|can do|is for)|which endpoint manages (accounts|keys|plans)|how to manage keys over HTTP)',
    whether: '((keys|accounts) can be (managed|made) over HTTP|hearth has an admin API)',
    answer: '`/admin/v1` manages accounts, keys, plans and usage over HTTP. It needs an admin key.',
  },
  {
    what: '(/healthz|/readyz|the health check|the health endpoint|the readiness check|GET /healthz|GET /readyz|the liveness check)',
    how: '(check|see|test|find out|know|monitor|ask) (whether|if) (hearth|the server|the service) is (up|alive|ready|healthy|running|still there|able to serve)|(check|test|probe) the health of (hearth|the server)',
    unsure:
      '(whether hearth is (up|alive|ready|running|healthy)|which endpoint (is|tells) the health|how a load balancer checks hearth)',
    answer: '`GET /healthz` says that the process lives, `GET /readyz` that it can serve.',
  },
  {
    what: '(metrics|/metrics|the metrics endpoint|the metrics of hearth|GET /metrics|the Prometheus endpoint)',
    how: '(monitor hearth|get metrics|use Prometheus|watch hearth with Prometheus|scrape hearth|collect metrics|(see|plot|read|export) (metrics|the metrics|numbers for Prometheus)|connect (Prometheus|Grafana)|make a dashboard)',
    unsure:
      '(where the metrics are|how to (monitor|watch) hearth|which endpoint gives metrics|whether hearth has metrics)',
    whether: '(hearth (has|gives|exports|offers) metrics|Prometheus can (watch|scrape) hearth)',
    answer: '`GET /metrics` gives numbers for Prometheus.',
  },
  {
    questions: [
      '(where is|is there|where do I find) (the |an |)(API documentation|API docs|OpenAPI document|openapi.json|docs page)?',
      'what is (/docs|/openapi.json)?',
    ],
    what: '(/docs|/openapi.json|the API documentation|the OpenAPI document|the docs page)',
    where:
      '(the API documentation|the API docs|the OpenAPI document|a description of the API|the documentation of the API|the API reference)',
    unsure:
      '(where the API documentation is|how to see the API documentation|whether there is an OpenAPI document)',
    answer: 'See `/docs` in a browser, or `GET /openapi.json`.',
  },
  {
    what: '(streaming|stream|stream true|the stream parameter|a streamed answer|the streaming of answers)',
    how: '(stream|get|receive|see|read|show) (an answer|answers|tokens|the answer|the tokens|the text) (as they come|piece by piece|token by token|live|word by word|bit by bit|while it is made)|(turn on|switch on|enable|use) streaming',
    questions: ['(does|can) hearth stream?', 'how do I (turn on|switch on|enable|use) streaming?'],
    unsure:
      '(how to (turn on|switch on|get) streaming|how answers come (piece by piece|token by token)|how a stream ends)',
    whether: '(hearth (streams|can stream|supports streaming)|answers can (be streamed|come piece by piece))',
    story:
      '(I (do not want|hate) to wait for the whole answer|the whole answer comes at once and I want it piece by piece)',
    answer:
      'Send `"stream": true`. The answer then comes as server-sent events and ends with `data: [DONE]`.',
  },
  {
    what: '(tools|tool calling|function calling|tool calls|the tools parameter|a tool call|functions in a request)',
    how: '(use|give|send|call|define|offer|declare|pass|describe) (tools|functions|a tool|my tools|a function|own functions)(|| to a model)|let a model (call|use) (functions|tools|a function|my code)',
    questions: ['(does|can) hearth (support|do|know|have) (tools|tool calling|function calling)?'],
    unsure:
      '(how (tools|functions) are (sent|used|called)|how to use (tools|function calling)|whether hearth (has|knows) tools)',
    whether:
      '(hearth (supports|knows|has|can do|understands) (tools|tool calling|function calling)|the arguments of a (call|tool call) (fit|match) the schema)',
    answer:
      'Send `tools` with a JSON schema for each function. The arguments of a call always fit the schema.',
  },
  {
    what: '(tool_choice|the tool_choice parameter|the values of tool_choice|the parameter tool_choice)',
    how: '(force|forbid|require|prevent|enforce|prohibit|demand) a (tool call|function call|call of a tool)|make (a|the) model (call|use) (a tool|one function|a certain function)|(choose|pick|prescribe) the tool that is called|stop (a|the) model from calling tools',
    unsure: '(what tool_choice may be|which values tool_choice has|how to force a tool call)',
    answer: '`tool_choice` may be `none`, `auto`, `required`, or one function by its name.',
  },
  {
    what: '(structured output|response_format|json_schema|JSON mode|json_object|the response_format parameter|a JSON answer|structured answers)',
    how: '(get|force|have|make the model answer in|ask for|receive|demand|guarantee|enforce|let a model write) (JSON|valid JSON|a JSON answer|structured output|only JSON|JSON by a schema|correct JSON)',
    unsure:
      '(how to (get|force) (JSON|valid JSON|a JSON answer)|how a model answers in JSON|what response_format is for)',
    whether:
      '(hearth (can|will) (give|guarantee|answer with) (valid JSON|JSON)|answers can be (JSON|forced into JSON))',
    answer: 'Send `response_format` with type `json_object` or `json_schema`. The answer then always fits.',
  },
  {
    what: '(reasoning|thinking|a model that ends in -r|the -r models|an -r id|-r|reasoning_content|a thinking model|the -r at the end of a model id)',
    how: '(make|let|have|help) (a|the|my) model (think|reason|ponder) (first|before it answers|before the answer|step by step|)|(turn on|switch on|enable|use|get) (thinking|reasoning|thoughts)',
    questions: ['(what does (the |)-r (mean|stand for)|why is there (a |an |)-r at the end of a model id)?'],
    unsure:
      '(what -r (means|stands for)|how a model (thinks|reasons) first|why model ids end in -r|what the -r models are)',
    whether: '(models (can|may) think first|hearth (supports|has) (reasoning|thinking))',
    answer:
      'Ask for the model id with `-r` at its end. It then thinks first, and the thoughts come as `reasoning_content`.',
  },
  {
    what: '(reasoning_effort|the reasoning effort|the reasoning_effort parameter|the effort of reasoning|the levels of reasoning effort)',
    how: '(set|limit|change|choose|control|shorten|bound) (how (long|much) (a|the) model (thinks|reasons)|the (length|tokens) of (thoughts|a thought))|let a model think (longer|less|more)',
    unsure:
      '(how (long|much) a model (thinks|may think)|which values reasoning_effort has|how many tokens of thought there are)',
    answer: '`reasoning_effort` may be low, medium or high: 512, 2048 or 8192 tokens of thought.',
  },
  {
    what: '(temperature|the temperature|the default temperature|the temperature parameter|temperature 0|a high temperature)',
    how: '(set|change|lower|raise|choose|pass|send|adjust) (the|a|another) temperature|(get|have) (more creative|less random|more random|more varied) answers|always take the likeliest token',
    unsure: '(how to set the temperature|(which|what) temperature is the default|what temperature 0 does)',
    questions: [
      '(which|what) is the default temperature?',
      '(temperature|default temperature|temperature 0)(|?)',
    ],
    answer: 'Send `temperature`. The default is 1, and 0 always takes the likeliest token.',
  },
  {
    what: '(the seed|seed|the seed parameter|a seed|a fixed seed|the parameter seed)',
    how: '(get|have|receive|obtain) the same (answer|text|output|result) (again|each time|twice|every time|for the same question)|make (answers|the output) (repeatable|reproducible|the same every time)|(repeat|reproduce) an answer',
    unsure: '(how to get the same (answer|text) (again|twice)|what the seed does)',
    whether: '(the same request can give the same (text|answer)|answers can be (repeated|reproduced))',
    answer: 'Send a `seed`. The same request then gives the same text.',
  },
  {
    what: '(max_tokens|max_completion_tokens|the max_tokens parameter|the longest answer|finish_reason length)',
    how: '(limit|cap|bound|restrict|shorten|set|cut) the (length of an answer|length of answers|number of tokens|answer length|size of an answer)|(get|have) (shorter|brief|short) answers|(cut|stop) (an answer|answers) after some tokens',
    unsure: '(how to (limit|cap|shorten) (an answer|answers|the answer)|what max_tokens does)',
    story: '((the answers|my answers|its answers) are (too long|much too long))',
    answer: 'Send `max_tokens`. The answer then ends after that many tokens, with `finish_reason` `length`.',
  },
  {
    what: '(stop sequences|a stop sequence|the stop parameter|the parameter stop|stop texts|a stop word)',
    how: '(stop|end|cut|break off|finish) (an answer|the answer|the text|a completion) (at|before) a (word|certain word|certain text|given text|line break)|(give|set|send|use) (stop words|stop sequences|a stop sequence)',
    unsure: '(how to (stop|end) an answer at a (certain |)word|what the stop parameter does)',
    answer: 'Send `stop` with one or more texts. The answer ends before the first of them.',
  },
  {
    what: '(CORS|corsOrigins|the CORS settings|a CORS error|corsOrigins in hearth.yaml)',
    how: '(call|use|reach|ask) hearth (from|in) (a web page|a browser|my web app|JavaScript in a page|a website)|(allow|permit|let in) (a web page|my web page|a website|another origin|my domain)',
    unsure: '(whether a web page may call hearth|how a web page calls hearth|what corsOrigins is for)',
    story: '(my (browser|web page|web app) (shows a CORS error|is blocked by CORS|may not call hearth))',
    answer: 'Web pages on localhost may call hearth. Allow others with `corsOrigins` in `hearth.yaml`.',
  },
  {
    questions: [
      '(can|does) hearth (see|understand|read|take) (images|pictures|photos)?',
      'can I send (an image|a picture|images)?',
    ],
    whether:
      '(hearth (sees|understands|reads|takes|accepts) (images|pictures|photos)|I can send (images|pictures|photos))',
    unsure:
      '(whether hearth (sees|understands) (images|pictures|photos)|which models (see|understand) (images|pictures))',
    how: '(send|describe|show hearth|ask about|attach|upload|analyse|use) (an image|a picture|a photo|images|a screenshot|a drawing)',
    answer:
      'Images work only with a model that has vision. With others they are a 400 `unsupported_content`.',
  },
];
