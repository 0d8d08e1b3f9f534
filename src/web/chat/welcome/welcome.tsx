import { chatModel, isDemo, isWell } from '../../state/models.ts';
import { isKept } from '../../state/kept-on-server.ts';
import { isAdmin } from '../../state/session.ts';
import { t } from '../../words/texts.ts';
import { Button } from '../../ui/controls.tsx';
import { lazyPart } from '../../ui/rendering/lazy-part.tsx';
import type { Conversation } from '../conversations/conversation.ts';

const ToolsNote = lazyPart(async () => (await import('./tools-note.tsx')).ToolsNote);

interface Props {
  readonly conversation: Conversation;
  readonly onAsk: (question: string) => void;
}

/** An empty chat's offer: questions that its model can answer. */
export function Welcome({ conversation, onAsk }: Props) {
  const { comparedModel } = conversation;
  const model = chatModel.value;
  const demo = model !== undefined && isDemo(model.id);
  return (
    <div class="welcome">
      <h1>{t.chat.empty}</h1>
      {model === undefined || isWell(model) ? (
        <p>
          {model?.runs_elsewhere
            ? t.chat.emptyHintElsewhere(model.id, model.upstream_label)
            : t.chat.emptyHint}{' '}
          {t.chat.keptIn(isKept.value)}
        </p>
      ) : (
        <>
          <p role="alert">{t.welcome.down(model.id, model.runs_elsewhere)}</p>
          <Button
            text={t.welcome.chooseAnother}
            onClick={() => document.querySelector<HTMLElement>('.model-choice > button')?.click()}
          />
        </>
      )}
      {model !== undefined && comparedModel !== undefined && (
        <p>{t.welcome.compares(model.id, comparedModel)}</p>
      )}
      {demo && (
        <p class="demo-note">
          {t.welcome.demo} {isAdmin.value && <a href="#/models">{t.welcome.getModel}</a>}
        </p>
      )}
      {model !== undefined && isWell(model) && (
        <div class="offers">
          {(demo ? t.welcome.demoQuestions : t.welcome.questions).map((question) => (
            <Button key={question} text={question} onClick={() => onAsk(question)} />
          ))}
        </div>
      )}
      {model?.capabilities.supports_function_calling && <ToolsNote conversation={conversation} />}
    </div>
  );
}
