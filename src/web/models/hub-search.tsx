import { useState } from 'preact/hooks';
import type { HubModelList, HubVariantList } from '../api/types.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { adminJson } from '../state/session.ts';
import { useAdmin, useWork } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, Problem, Progress } from '../ui/controls.tsx';
import { Form, SearchBox } from '../ui/fields.tsx';
import { joined, toCount } from '../words.ts';
import { PullButton } from './pull-panel.tsx';

/** Finds models at Hugging Face, which the server asks, and gets them in a size that fits. */
export function HubSearch() {
  const [words, setWords] = useState('');
  const [found, setFound] = useState<HubModelList['data']>();
  const { problem, isBusy, act } = useWork();
  const search = async () => {
    setFound(undefined);
    const query = new URLSearchParams({ search: words.trim() });
    setFound((await adminJson<HubModelList>(`hub-models?${query}`)).data);
  };
  return (
    <>
      <Form class="inline" onSend={() => void act(search())}>
        <SearchBox label={t.models.hub.label} required minLength={2} value={words} onChange={setWords} />
        <Button type="submit" disabled={isBusy} text={t.models.hub.search} />
      </Form>
      <Problem text={problem} />
      {isBusy && <p class="quiet">{t.shell.loading}</p>}
      {found?.length === 0 && <p class="quiet">{t.models.hub.nothing}</p>}
      {found !== undefined && found.length > 0 && (
        <ul class="suggestions" aria-label={t.models.hub.found}>
          {found.map((model) => (
            <FoundRow key={model.id} model={model} />
          ))}
        </ul>
      )}
    </>
  );
}

function FoundRow({ model: { id, downloads, gated } }: { model: HubModelList['data'][number] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div>
        <strong>{id}</strong>
        <span class="facts">
          {joined(t.models.hub.downloads(toCount(downloads)), gated && t.models.hub.gated)}
        </span>
        {isOpen && <Variants repository={id} />}
      </div>
      {!isOpen && (
        <Button aria-label={t.models.hub.sizes(id)} text={t.models.hub.show} onClick={() => setOpen(true)} />
      )}
    </li>
  );
}

/** The sizes of a model, those that fit first. */
function Variants({ repository }: { repository: string }) {
  const variants = useAdmin<HubVariantList>(`hub-models/${repository}`);
  const all = variants.value?.data.toSorted((one, other) => Number(other.fits) - Number(one.fits));
  return (
    <>
      <Progress of={variants} />
      {all?.length === 0 && <p class="quiet">{t.models.hub.noVariants}</p>}
      <ul class="variants">
        {all?.map(({ id, source, size_bytes: size, fits }) => (
          <li key={id}>
            <span>{id}</span>
            <span class="facts">{joined(formatBytes(size), !fits && t.models.hub.tooLarge)}</span>
            <PullButton id={id} source={source} />
          </li>
        ))}
      </ul>
    </>
  );
}
