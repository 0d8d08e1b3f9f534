import { useEffect, useState } from 'preact/hooks';
import { loadModels, models } from '../../state/models.ts';
import { t } from '../../texts.ts';

/** As often as this the server is asked whether the model is in memory by now. */
const askMs = 1500;

/** What is known of an answer before its first word: that its model is read into memory, or how long it has been waited for. */
export function Waiting({ model }: { model: string | undefined }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const beganMs = Date.now();
    const timer = setInterval(() => {
      setSeconds(Math.round((Date.now() - beganMs) / 1000));
      void loadModels().catch(() => undefined);
    }, askMs);
    return () => clearInterval(timer);
  }, []);
  const isLoading = models.value?.find(({ id }) => id === model)?.state === 'available';
  const what = isLoading && model !== undefined ? t.chat.loadsModel(model) : t.chat.waiting;
  return (
    <p class="waiting note">
      <span class="pulse">{what}</span>{' '}
      {seconds > 2 && <span class="figures">{t.chat.seconds(seconds)}</span>}
    </p>
  );
}
