import type { Handler } from 'hono';
import { createCompletionIdentity } from '../completion-identity.ts';
import type { CompletionIdentity } from '../completion-identity.ts';
import type { AppContext, AppDeps, AppEnv } from '../env.ts';
import { findTextModel } from '../find-model.ts';
import { createLeaving } from '../leaving.ts';
import { admit, meteredRoutes } from '../metering.ts';
import type { Meter } from '../metering.ts';
import { clientLeft, logCause } from '../middleware/on-error.ts';
import { toIgnoredHeader } from '../parameter-names.ts';
import { sseResponse } from '../sse.ts';
import { inputPlace } from '../text-inputs.ts';
import { toWireError } from '../to-wire-error.ts';
import { toGenerationRequests } from './convert.ts';
import { ChoiceReader, joinParts, toTextCompletion } from './convert-answer.ts';
import type { ChoicePart } from './convert-answer.ts';
import { GenerationGroup } from './generation-group.ts';
import type { GroupEvent } from './generation-group.ts';
import { parseCompletion } from './schema.ts';
import { toCompletionEvents } from './stream.ts';
import { refuseUnavailable } from './unavailable.ts';

interface RunningCompletions {
  readonly identity: CompletionIdentity;
  readonly group: GenerationGroup;
  readonly meter: Meter;
  readonly withLogprobs: boolean;
}

/** POST /v1/completions: checks in the public order, then continues all prompts together. */
export function completions(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { parameters, ignored } = parseCompletion(c.get('body'));
    if (ignored.length > 0) c.header('x-ignored-parameters', toIgnoredHeader(ignored));
    refuseUnavailable(parameters);
    const principal = c.get('principal');
    const named = findTextModel(deps.catalog, principal, parameters.model);
    const requests = toGenerationRequests(parameters, named, principal);
    const identity = createCompletionIdentity('cmpl', named, deps);
    const leaving = createLeaving(c);

    // Nothing may throw between the two: what is admitted must be settled.
    const meter = admit(c, deps, meteredRoutes.completions, named.model);
    const group = new GenerationGroup(deps.engine, requests, leaving, (error, index) =>
      toWireError(error, [inputPlace('prompt', index, parameters.prompt)]),
    );
    const running = { identity, group, meter, withLogprobs: parameters.logprobs !== undefined };
    if (parameters.stream !== true) return respondWhole(c, running, requests.length);
    const includeUsage = parameters.stream_options?.include_usage === true;
    return respondStreamed(c, deps, running, { includeUsage, leave: () => leaving.abort() });
  };
}

async function respondWhole(c: AppContext, running: RunningCompletions, count: number): Promise<Response> {
  const { identity, group, meter, withLogprobs } = running;
  const choices = Array.from({ length: count }, () => ({
    reader: new ChoiceReader({ withLogprobs }),
    parts: new Array<ChoicePart>(),
  }));
  try {
    for await (const event of group.events()) {
      if (event.type === 'text') meter.noteOutput();
      const choice = choices[event.index];
      const part = choice?.reader.read(event);
      if (part !== undefined) choice?.parts.push(part);
    }
  } finally {
    // Charged before the answer is out: the client's next request finds its allowance as it is.
    await meter.settleAtEndOf(group);
  }
  const end = await group.ended;
  if (end.outcome === 'failed') throw end.error;
  if (end.outcome === 'aborted') return clientLeft(c);
  const whole = choices.map(({ parts }) => joinParts(parts, { withLogprobs }));
  return c.json(toTextCompletion(identity, whole, end));
}

async function respondStreamed(
  c: AppContext,
  deps: AppDeps,
  running: RunningCompletions,
  options: { includeUsage: boolean; leave: () => void },
): Promise<Response> {
  const { identity, group, meter, withLogprobs } = running;
  const events = group.events();
  let first: GroupEvent;
  try {
    // Awaited before there is a response: what fails until here has an ordinary status.
    await group.accepted();
    const result = await events.next();
    if (result.done === true) {
      await meter.settleAtEndOf(group);
      return clientLeft(c);
    }
    first = result.value;
  } catch (error) {
    await meter.settleAtEndOf(group);
    throw error;
  }
  meter.noteStreamBegins();
  const source = toCompletionEvents({
    identity,
    events: startingWith(first, events),
    settled: meter.settleAtEndOf(group),
    meter,
    includeUsage: options.includeUsage,
    withLogprobs,
    requestId: c.get('requestId'),
    onFailure(error) {
      c.get('access').errorCode = error.code;
      logCause(deps.log, c.get('requestId'), error);
    },
  });
  return sseResponse(c, source, options.leave, deps.settings);
}

async function* startingWith(first: GroupEvent, rest: AsyncIterable<GroupEvent>): AsyncGenerator<GroupEvent> {
  yield first;
  yield* rest;
}
