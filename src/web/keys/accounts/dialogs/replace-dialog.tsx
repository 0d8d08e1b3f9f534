import { useState } from 'preact/hooks';
import { toDurationMs } from '../../../../config/values/duration.ts';
import type { ApiKey, CreatedApiKey } from '../../../api/types.ts';
import { adminJson } from '../../../state/session.ts';
import { doHere, type Act } from '../../../state/polled.ts';
import { t } from '../../../words/operator-texts.ts';
import { ChoiceField, optionsOf } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { toTime } from '../../../words/times.ts';

interface Props {
  readonly apiKey: Pick<ApiKey, 'id' | 'expires_at'>;
  /** The key in words. */
  readonly whose: string;
  readonly act: Act;
  readonly onRotated: (created: CreatedApiKey, told?: string) => void;
  readonly onClose: () => void;
}

/** Replaces a key, and asks for how long the old one works on, so that nobody is cut off before the new one is in place. */
export function ReplaceDialog({ apiKey: { id, expires_at: endsAt }, whose, act, onRotated, onClose }: Props) {
  const [overlap, setOverlap] = useState<keyof typeof t.keys.overlaps>('0');
  const replace = async () => {
    const rotated = adminJson<CreatedApiKey>(`keys/${id}/rotate`, { method: 'POST', body: { overlap } });
    await doHere(act, rotated);
    const ms = toDurationMs(overlap) ?? 0;
    const told =
      ms === 0
        ? t.keys.oldEnded
        : t.keys.oldUntil(toTime(Math.min(endsAt ?? Infinity, (Date.now() + ms) / 1000)));
    onRotated(await rotated, told);
  };
  return (
    <FormDialog
      title={t.keys.rotateItem}
      action={t.keys.rotate}
      work={replace}
      gone={t.keys.keyGone}
      onClose={onClose}
    >
      <p>{t.keys.rotateLead(whose)}</p>
      <ChoiceField
        label={t.keys.overlap}
        value={overlap}
        onChange={setOverlap}
        options={optionsOf(t.keys.overlaps)}
      />
    </FormDialog>
  );
}
