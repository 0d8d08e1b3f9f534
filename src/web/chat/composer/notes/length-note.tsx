import { Button } from '../../../ui/controls.tsx';
import { chatModel } from '../../../state/models.ts';
import { t } from '../../../words/dialog-texts.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import { withLongerContext } from '../../models/longer-context.ts';
import { unsentText } from '../../new-chat.ts';
import { unsentFiles } from '../attachments/unsent-files.ts';
import './length-note.css';

/** No model has many more characters in a token of a text. */
const charsPerToken = 3.5;

const estimates = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** As many models are named as a line has room for. */
const mostNamed = 2;

interface Props {
  readonly conversation: Conversation;
  readonly onModel: (id: string) => void;
}

/** Says that the text with the chat is very likely longer than the model takes, and names models that take both. */
export function LengthNote({ conversation, onModel }: Props) {
  const { id } = conversation;
  const model = chatModel.value;
  const texts = unsentFiles(id).flatMap((file) => (file.kind === 'text' ? file.text : []));
  const chars = [unsentText(id), ...texts].reduce((sum, { length }) => sum + length, 0);
  const before = tokensOf(conversation);
  const tokens = before + chars / charsPerToken;
  const most = model?.context_window ?? Infinity;
  if (model === undefined || tokens <= most) return null;
  return (
    <div class="note length-note" role="status">
      <span>{t.chat.tooLong(before > 0, estimates.format(tokens), model.id, most.toLocaleString('en'))}</span>
      {withLongerContext(tokens)
        .slice(0, mostNamed)
        .map((other) => (
          <Button
            key={other.id}
            class="plain-link"
            text={t.chat.useInstead(other.id)}
            onClick={() => onModel(other.id)}
          />
        ))}
    </div>
  );
}

/** As its last answer tells; 0: nothing is known. The model's thoughts are not sent again. */
function tokensOf({ messages, leafId }: Conversation): number {
  const { stats, content } = messages.find((message) => message.id === leafId) ?? {};
  return stats === undefined || content === undefined
    ? 0
    : stats.promptTokens + content.length / charsPerToken;
}
