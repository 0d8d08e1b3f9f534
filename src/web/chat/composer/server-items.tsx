import type { McpServerList } from '../../api/types.ts';
import { useUser } from '../../state/polled.ts';
import { t } from '../../texts.ts';
import { Check } from '../../ui/fields.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';

interface Props {
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
}

/** The servers whose tools the model may call in this chat; nothing where the key may use none. */
export function ServerItems({ settings, onSettings }: Props) {
  const { value } = useUser<McpServerList>('mcp_servers');
  const servers = value?.data ?? [];
  const { servers: chosen = [], ...others } = settings;
  const toggle = (label: string, isOn: boolean) => {
    const next = isOn ? [...chosen, label] : chosen.filter((one) => one !== label);
    onSettings(next.length === 0 ? others : { ...others, servers: next });
  };
  if (servers.length === 0) return null;
  return (
    <fieldset class="servers">
      <legend>{t.servers.title}</legend>
      {servers.map(({ server_label: label, tools, error }) => (
        <Check
          key={label}
          class="check item"
          isOn={chosen.includes(label)}
          onChange={(isOn) => toggle(label, isOn)}
          label={
            <span>
              {label}{' '}
              <small>{error ?? (tools.map(({ name }) => name).join(', ') || t.servers.noTools)}</small>
            </span>
          }
        />
      ))}
    </fieldset>
  );
}
