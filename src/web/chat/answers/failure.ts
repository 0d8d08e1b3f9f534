import { ApiError } from '../../api/request.ts';
import { messageOf } from '../../state/polled.ts';
import { loadModels, noteAnswer } from '../../state/models.ts';
import { t } from '../../words/dialog-texts.ts';
import type { Message } from '../conversations/conversation.ts';

/** The fields of a message that say why there is no answer. */
export type Failure = Pick<Message, 'error' | 'errorKind' | 'errorDetails' | 'failedRequest' | 'retryAtMs'>;

/** Codes of failures that another model may not have. */
const isModels = /^(?:model|upstream|engine)_|^server_overloaded/;

/** Numbers that have separators elsewhere on the page. */
const amounts = /\b\d{4,}(?= (?:tokens|requests|units|audio seconds)\b|: shorten it)/g;

function kindOf(code: string, status: number): Pick<Message, 'errorKind'> {
  if (code === 'context_length_exceeded') return { errorKind: 'length' };
  if (isModels.test(code)) return { errorKind: 'model' };
  return status === 402 || status === 429 ? { errorKind: 'limit' } : {};
}

/** The failure of a request to `model`, which is known to have failed from then on. */
export function toFailure(thrown: unknown, model = ''): Failure {
  if (!(thrown instanceof ApiError)) return { error: messageOf(thrown) };
  const { message, code, status, retryAfterSeconds: seconds, requestId } = thrown;
  const failure: Failure = {
    ...(requestId !== undefined && { failedRequest: { id: requestId, atMs: Date.now() } }),
    ...kindOf(code, status),
  };
  if (failure.errorKind === 'model') noteAnswer(model, false);
  if (code === 'model_load_failed') {
    // It is known to have failed from now on.
    void loadModels().catch(() => undefined);
    return { ...failure, error: t.chat.notLoadable, errorDetails: message };
  }
  // The page counts the seconds itself, and has buttons for the ways out.
  const error = message
    .replace(/Try again in \d+ seconds?: t/, 'T')
    .replace(/ Try again(?: later)?\.$/, '')
    .replaceAll(amounts, (amount) => Number(amount).toLocaleString('en'));
  return { ...failure, error, ...(seconds !== undefined && { retryAtMs: Date.now() + seconds * 1000 }) };
}
