import { useState } from 'preact/hooks';
import type { HubModelList, HubVariantList } from '../../api/types.ts';
import { formatBytes } from '../../../words/format-bytes.ts';
import { useAdmin } from '../../state/asked.ts';
import { t } from '../../words/operator-texts.ts';
import { Button } from '../../ui/controls.tsx';
import { Progress } from '../../ui/progress.tsx';
import { joined, toCount } from '../../words/formats.ts';
import { PullButton } from './pull.tsx';

interface Served {
  /** How many models there are here: with another one, another size may be here. */
  readonly served: number;
}

interface SearchProps extends Served {
  readonly words: string;
  /** Whether something failed since, which is told in its place. */
  readonly isTold: boolean;
}

/** Models that Hugging Face, which the server asks, has by these words: to be got in a size that fits. */
export function HubSearch({ words, served, isTold }: SearchProps) {
  const found = useAdmin<HubModelList>(`hub-models?${new URLSearchParams({ search: words })}`);
  return (
    <>
      {!isTold && <Progress of={found} />}
      {found.value?.data.length === 0 && <p class="quiet">{t.models.hub.nothing}</p>}
      <ul class="suggestions" aria-label={t.models.hub.found}>
        {found.value?.data.map((model) => (
          <FoundRow key={model.id} model={model} served={served} />
        ))}
      </ul>
    </>
  );
}

interface RowProps extends Served {
  readonly model: HubModelList['data'][number];
}

function FoundRow({ model: { id, downloads, gated }, served }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div>
        <strong>{id}</strong>
        <span class="facts">
          {joined(t.models.hub.downloads(toCount(downloads)), gated && t.models.hub.gated)}
        </span>
        {isOpen && <Variants repository={id} served={served} />}
      </div>
      {!isOpen && (
        <Button aria-label={t.models.hub.sizes(id)} text={t.models.hub.show} onClick={() => setOpen(true)} />
      )}
    </li>
  );
}

/** The sizes of a model, those that fit first. */
function Variants({ repository, served }: Served & { readonly repository: string }) {
  const variants = useAdmin<HubVariantList>(`hub-models/${repository}`, undefined, served);
  const all = variants.value?.data.toSorted((one, other) => Number(other.fits) - Number(one.fits));
  return (
    <>
      <Progress of={variants} />
      {all?.length === 0 && <p class="quiet">{t.models.hub.noVariants}</p>}
      <ul class="variants">
        {all?.map(({ id, source, size_bytes: size, fits, served_as: servedAs }) => (
          <li key={id}>
            <span>{id}</span>
            <span class="facts">{joined(formatBytes(size), !fits && t.models.hub.tooLarge)}</span>
            <PullButton id={id} source={source} servedAs={servedAs} />
          </li>
        ))}
      </ul>
    </>
  );
}
