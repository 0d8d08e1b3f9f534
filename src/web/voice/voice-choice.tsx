import type { VoiceList } from '../api/types.ts';
import { voiceModels } from '../state/models.ts';
import { useUser } from '../state/asked.ts';
import { voiceTexts } from './texts.ts';
import { ChoiceField } from '../ui/forms/fields.tsx';

interface ModelProps {
  readonly value: string;
  readonly onChange: (model: string) => void;
}

/** Which model speaks, where there are several. */
export const VoiceModelChoice = ({ value, onChange }: ModelProps) =>
  voiceModels.value.length < 2 ? null : (
    <ChoiceField
      label={voiceTexts.model}
      value={value}
      onChange={onChange}
      options={voiceModels.value.map(({ id }) => [id, id])}
    />
  );

interface VoiceProps {
  /** A name; undefined: the server takes the first one, or the model's own. */
  readonly value: string | undefined;
  readonly onChange: (voice: string | undefined) => void;
}

/** Whose voice the model imitates, where there is a choice. */
export function VoiceChoice({ value, onChange }: VoiceProps) {
  const { value: list } = useUser<VoiceList>('audio/voices');
  const names = (list?.data ?? []).map(({ name }) => name);
  // One that is gone stays to be seen, since it is asked for still.
  const all = value === undefined || names.includes(value) ? names : [value, ...names];
  if (all.length < 2 && all.length === names.length) return null;
  return (
    <ChoiceField
      label={voiceTexts.voice}
      value={value ?? ''}
      onChange={(name) => onChange(name || undefined)}
      options={[['', voiceTexts.anyVoice], ...all.map((name) => [name, name] as const)]}
    />
  );
}
