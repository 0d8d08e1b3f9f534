/** The English texts about tools of servers, which models call in chats. */
export const toolTexts = {
  servers: 'Tools of these servers',
  noTools: 'no tools',
  call: (tool: string, server: string) => `${tool} of ${server}`,
  runs: 'is running…',
  failed: 'failed',
  result: 'Result',
  mayCall: (tool: string, server: string) => `May the model call ${tool} of ${server}?`,
  allow: 'Allow',
  allowAlways: 'Always in this chat',
  refuse: 'Refuse',
  decided: (tool: string, approves: boolean) => `${approves ? 'Allowed' : 'Refused'}: ${tool}`,
} as const;
