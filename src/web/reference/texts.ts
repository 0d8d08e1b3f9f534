/** The texts of the reference. */
export const texts = {
  title: 'API reference',
  handbook: 'Handbook',
  filter: 'Find a route',
  none: 'No route has all of these words.',
  groups: 'Groups of routes',
  required: 'required',
  fields: 'Its fields',
  variant: (name: string) => `Where it is ${name}`,
  parameters: 'Parameters',
  body: 'Body',
  bodyFields: 'All fields of the body',
  answers: 'Answers',
  needs: {
    apiKey: 'Needs an API key.',
    adminKey: 'Needs an admin key.',
    none: 'Needs no key.',
  },
  key: { apiKey: 'API key', adminKey: 'Admin key' },
  otherKey: {
    apiKey: 'This is an admin key. This route needs an ordinary API key.',
    adminKey: 'This is an ordinary key. This route needs an admin key.',
  },
  rules: 'What holds for all routes',
  signedIn: {
    both: 'Requests are sent with the keys that you are signed in with.',
    user: 'Requests are sent with your key. Routes of operators ask for an admin key.',
    admin:
      'Requests to routes of operators are sent with your admin key. All others ask for an ordinary one.',
    none: 'Each route that needs a key asks for one.',
  },
  try: 'Try it',
  send: 'Send',
  curl: 'Copy as curl',
  stop: 'Stop',
  took: (status: string, wait: string) => `${status} after ${wait}`,
  save: (size: string, type: string) => `Save ${size} of ${type}`,
} as const;
