const doubled =
  /^(get|set|put|stop|cut|drop|swap|let|run|quit|shut|begin|plan|cap|ban|log|chat|debug|forbid|overlap|permit|pin|split|transfer|enrol|sum|win|trim|scan|cancel|label)$/;

/** The deed as a noun: "making a key" of "make a key". */
export function gerund(deed: string): string {
  const [verb = '', ...rest] = deed.split(' ');
  return [`${stem(verb)}ing`, ...rest].join(' ');
}

function stem(verb: string): string {
  if (doubled.test(verb)) return verb + verb.charAt(verb.length - 1);
  if (/^(tie|die|lie)$/.test(verb)) return `${verb.slice(0, -2)}y`;
  return /[^eo]e$/.test(verb) && verb !== 'be' ? verb.slice(0, -1) : verb;
}
