import { formatBytes } from '../../words/format-bytes.ts';
import type { ModelDetails, ModelStatus } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { useAdmin } from '../state/asked.ts';
import { doHere, type Act } from '../state/polled.ts';
import { mayChange } from '../state/rights.ts';
import { t } from '../words/operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { AskingButton } from '../ui/overlays/ask.tsx';
import { openDialog } from '../ui/overlays/dialog.tsx';
import { Fold } from '../ui/fold.tsx';
import { FactList } from '../ui/tables/figure-row.tsx';
import { toAge } from '../words/times.ts';
import { joined, toWait } from '../words/formats.ts';
import { downTimes, whyDownExactly } from './outages.ts';
import { ModelSettingsDialog } from './settings-dialog.tsx';

interface Props {
  readonly status: ModelStatus;
  readonly act: Act;
}

const text = t.models.details;

/** All that is known of a model, and the rare acts on it. */
export function Details({ status, act }: Props) {
  const { id, deletable, state } = status;
  const path = `models/${encodeURIComponent(id)}`;
  // Findings of a model's first load are known from then on.
  const details = useAdmin<ModelDetails>(state === 'loading' ? undefined : path);
  const saved = () => void act(Promise.resolve());
  const edit = () =>
    openDialog((close) => <ModelSettingsDialog status={status} onClose={close} onSaved={saved} />);
  return (
    <>
      <Progress of={details} />
      {details.value !== undefined && <Facts status={status} details={details.value} />}
      {mayChange.value && (
        <div class="actions">
          <Button text={t.models.settings.action} onClick={edit} />
          {deletable && (
            <AskingButton
              class="failed"
              action={t.models.remove}
              question={t.models.removeQuestion(id)}
              onConfirm={() => doHere(act, asAdmin(path, { method: 'DELETE' }))}
            />
          )}
        </div>
      )}
    </>
  );
}

interface FactsProps {
  readonly status: ModelStatus;
  readonly details: ModelDetails;
}

/** Facts that are not known are left out. */
function Facts({ status, details }: FactsProps) {
  const { path, addresses } = status;
  return (
    <>
      <FactList
        facts={factsOf(status, details)}
        long={[
          ...(addresses ?? []).map((address) => [text.runsAt, toPlace(address)] as const),
          ...(path === null ? [] : [[text.file, path] as const]),
        ]}
      />
      {details.chat_template !== null && (
        <Fold title={text.template}>
          <pre tabindex={0}>{details.chat_template}</pre>
        </Fold>
      )}
    </>
  );
}

type Address = NonNullable<ModelStatus['addresses']>[number];

const toPlace = (address: Address): string => {
  const { url, state, latency_ms: latency, requests, errors } = address;
  return joined(
    url,
    // With the code of the error, which the row leaves out.
    whyDownExactly(address) ?? text.addressStates[state],
    downTimes(address),
    latency !== null && text.answersAfter(toWait(latency)),
    requests + errors > 0 && text.requests(requests, errors),
  );
};

function factsOf(status: ModelStatus, details: ModelDetails): readonly (readonly [string, string])[] {
  const { kind, memory, runs_on: runsOn, parallel, last_used_at: usedAt, unloads_at: unloadsAt } = status;
  // The start of the server asks the others once itself.
  const isUsed = status.addresses?.every(({ requests, errors }) => requests + errors === 0) !== true;
  const all: readonly (readonly [name: string, value: string | false | null])[] = [
    [text.does, [t.models.kinds[kind], ...details.capabilities.map((one) => text.abilities[one])].join(', ')],
    [text.parameters, details.parameters > 0 && details.parameters.toLocaleString('en')],
    [text.quantization, details.quantization],
    [t.models.columns.size, details.size_bytes > 0 && formatBytes(details.size_bytes)],
    [memory === null ? text.takes : t.models.columns.memory, runsOn !== null && memoryOf(runsOn)],
    [t.models.columns.context, text.tokens(status.context_window ?? 0, details.trained_context)],
    [text.parallel, parallel !== null && String(parallel)],
    [text.used, isUsed && usedAt !== null && toAge(usedAt)],
    [text.leaves, unloadsAt !== null && toAge(unloadsAt)],
    [text.architecture, details.architecture],
    [text.licence, details.licence],
    [text.aliases, details.aliases.join(', ')],
  ];
  return all.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

/** The main memory, and that of each GPU, which it takes or would take. */
const memoryOf = ({ ram_bytes: ram, gpus }: NonNullable<ModelStatus['runs_on']>): string =>
  [formatBytes(ram), ...gpus.map(({ name, bytes }) => text.ofGpu(formatBytes(bytes), name))].join(', ');
