import { useEffect, useState } from 'preact/hooks';
import { loadModels, models, speechModels, voiceModels } from '../state/models.ts';
import { go, routeParts } from '../state/route.ts';
import { t } from '../words/operator-texts.ts';
import { optionsOf, Segments } from '../ui/forms/fields.tsx';
import { HearPanel, take } from './hearing/hear-panel.tsx';
import { SpeakPanel } from './speak-panel.tsx';
import '../ui/tables/keep-focus.ts';
import './speech.css';

/** Recordings as text, and texts as speech: one at a time. */
export function SpeechView() {
  const [isOver, setOver] = useState(false);
  useEffect(() => void loadModels().catch(() => undefined), []);
  const isRead = models.value !== undefined;
  const canHear = speechModels.value.length > 0;
  const canSpeak = voiceModels.value.length > 0;
  const part = canSpeak && (routeParts.value[1] === 'speak' || !canHear) ? 'speak' : 'hear';
  return (
    <div
      class={`page speech${isOver && canHear ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file === undefined) return;
        go('speech');
        void take(file, file.name);
      }}
    >
      <header class="page-header">
        <h1>{t.views.speech}</h1>
        {canHear && canSpeak && (
          <Segments
            label={t.views.speech}
            value={part}
            onChange={(next) => go('speech', ...(next === 'speak' ? [next] : []))}
            options={optionsOf(t.speech.parts)}
          />
        )}
      </header>
      {isRead && !canHear && !canSpeak && <p class="lead">{t.speech.noModel}</p>}
      {part === 'speak' ? <SpeakPanel /> : <HearPanel />}
    </div>
  );
}
