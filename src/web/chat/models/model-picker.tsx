import { lazy, Suspense } from 'preact/compat';
import { importPart } from '../../api/connection.ts';
import { chatModels } from '../../state/models.ts';
import { t } from '../../texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';

const ModelList = lazy(async () => ({
  default: (await importPart(() => import('./model-list.tsx'))).ModelList,
}));

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

/** The name of a model, and the list that another one is chosen from. */
export function ModelPicker({ label, value, onChoose }: Props) {
  if (chatModels.value.length === 0) return <span class="quiet">{t.chat.noModels}</span>;
  const button = (
    <>
      <span>{value}</span>
      <Icon name="unfold" />
    </>
  );
  return (
    <Popover label={`${label}: ${value}`} class="model-choice" button={button}>
      {(close) => (
        <Suspense fallback={null}>
          <ModelList
            value={value}
            onChoose={(id) => {
              close();
              onChoose(id);
            }}
          />
        </Suspense>
      )}
    </Popover>
  );
}
