import type { Config } from '../config/types.ts';
import { readSetting } from '../config/values/secret-source.ts';
import { ConfigError } from '../errors/operator-errors.ts';
import type { OnSpent } from '../limits/budget-book.ts';
import { noteBudget } from '../notices/budget-notice.ts';
import { Notices } from '../notices/notices.ts';
import { toSecretBytes, type Webhook } from '../notices/webhook.ts';
import type { Log } from '../telemetry/log.ts';
import type { Certificates } from '../upkeep/certificates.ts';
import { noteFailedModel, TroubleWatch } from '../upkeep/trouble-watch.ts';
import type { Services } from './services.ts';

export type OpenNotices = ReturnType<typeof openNotices>;

/** The notices, and the watch over their causes. Throws ConfigError where the webhook has no secret. */
export function openNotices(
  { webhook, dataDir }: Config,
  { store, now, metrics, models }: Services,
  certificates: Certificates | undefined,
  log: Log,
) {
  const notices = new Notices({ store, now, log, operator: toWebhook(webhook) });
  const onError = (err: unknown) => log.error({ err }, 'the disk or the certificate could not be looked at');
  const watch = new TroubleWatch({ notices, store, dataDir, certificates, now, onError });
  // By the next turn the model says why.
  metrics.onModelFailed = (model) =>
    void setImmediate(() => noteFailedModel({ notices, now }, model, models.status(model).error));
  const onSpent: OnSpent = (budget, accountId) => noteBudget(notices, store, budget, accountId);
  return {
    notices,
    onSpent,
    onUnwritable: () => watch.look(),
    start() {
      notices.start();
      watch.start();
    },
    async stop() {
      watch.stop();
      await notices.stop();
    },
  };
}

function toWebhook(setting: Config['webhook']): Webhook | undefined {
  if (setting === undefined) return undefined;
  const secret = toSecretBytes(readSetting(setting.secret, process.env) ?? '');
  if (secret !== undefined) return { url: new URL(setting.url), secret, mayBeLocal: setting.local };
  throw new ConfigError(
    'webhook.secret: there is no secret of the form whsec_… there, of 24 to 64 bytes as base64',
    'make one with: echo "whsec_$(openssl rand -base64 32)"',
  );
}
