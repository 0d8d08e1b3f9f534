/** The texts of the view of what happens now. */
export const nowTexts = {
  server: (version: string, started: string) => `hearth ${version}, started ${started}`,
  notices: 'Notices',
  fullAgain: (when: string) => `Full again ${when}.`,
  toAccount: 'See the account',
  hideNotice: 'Hide in this browser',
  hideNotices: 'Hide all',
  hidden: (count: number) => (count === 1 ? '1 notice is hidden.' : `${count} notices are hidden.`),
  undo: 'Undo',
  slots: (busy: number, all: number) => `${busy} of ${all} slots`,
  waiting: (count: number) => `${count} waiting`,
  down: (models: string, why: string) => `${why}. Unavailable: ${models}.`,
  failed: (models: string) => `Could not be loaded: ${models}.`,
  mark: (notices: number, outages: number) =>
    [
      notices > 0 && (notices === 1 ? '1 notice' : `${notices} notices`),
      outages > 0 && (outages === 1 ? '1 outage' : `${outages} outages`),
    ]
      .filter(Boolean)
      .join(', '),
  andMore: (names: string, more: number) => `${names} and ${more} more`,
  running: 'Running and waiting',
  idle: (ended: string | undefined, count: number, isCut: boolean) =>
    `Nothing is running. ${
      ended === undefined
        ? 'Ready for the first request.'
        : count > 1
          ? `${isCut ? 'At least ' : ''}${count} requests ended within the last minute.`
          : `The last request ended ${ended}.`
    }`,
  trouble: 'Outages',
  seeModels: 'Go to Models',
  route: 'Address',
  noRoute: 'none that hearth knows',
  requestId: 'Request ID',
  causes: {
    upstream_error: 'The server that runs the model failed, or its answer was not valid.',
    model_unavailable: 'The server that runs the model does not answer.',
    model_not_found: 'There is no such model, or the key may not use it.',
    model_load_failed: 'The model could not be loaded: its row under Models says why.',
    model_broken: 'The model computed no valid numbers: its file may be damaged.',
    model_loading: 'The model was not in memory in time.',
    rate_limit_exceeded: 'A limit of the plan was reached.',
    insufficient_quota: 'A budget of the key or of its account is used up.',
    server_overloaded: 'Too many requests were waiting already.',
    server_shutting_down: 'The server was stopping.',
    context_length_exceeded: 'The prompt is too long for the context of the model.',
    invalid_api_key: 'The key is unknown, revoked or expired.',
    missing_api_key: 'It came without a key.',
    insufficient_permissions: 'The key may not be used for this.',
  } as Readonly<Record<string, string>>,
  inLog:
    'The full message went to the client only, since it may quote the prompt. The log of the server has more, in the lines with this ID.',
  idleModels: (count: number) =>
    count === 1 ? '1 model in memory is idle.' : `${count} models in memory are idle.`,
  runningColumns: {
    whose: 'Key · account',
    model: 'Model',
    state: 'State',
    age: 'Age',
    speed: 'Tokens/s',
  },
  readsPrompt: 'reading the prompt',
  writes: (count: number) => `writing, ${count === 1 ? '1 token' : `${count.toLocaleString('en')} tokens`}`,
  left: 'client disconnected',
  waits: 'waiting',
  waitsForModel: (state: string) => `waiting for the model (${state})`,
  waitsForSlot: (count: number) =>
    count === 1 ? 'waiting for the slot' : `waiting for one of ${count} slots`,
  cached: 'Prompt tokens from the cache in 24\u00A0h, by key',
  share: (part: string, all: string) => `${part} of ${all}`,
  runs: 'Running',
  waitsNow: 'Waiting',
  requestsPerMinute: 'Ended per min',
  tokensPerSecond: 'Tokens/s',
  firstToken: 'First token',
  requests: 'Latest requests',
  onlyFailed: 'Only failed',
  noRequests: 'No request has ended since the server started.',
  columns: {
    time: 'Time',
    whose: 'Key · account',
    model: 'Model',
    status: 'Status',
    took: 'Took',
    first: 'First',
    read: 'In',
    written: 'Out',
  },
} as const;
