import type { McpServerList } from '../../api/types.ts';
import { useUser } from '../../state/asked.ts';
import { t } from '../../words/dialog-texts.ts';
import { toolName } from '../../words/tool-name.ts';
import { Check } from '../../ui/forms/fields.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';
import './server-items.css';

interface Props {
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
  /** Whether single tools of a server are chosen as well. */
  readonly withTools?: boolean;
}

type McpServer = McpServerList['data'][number];

/** The servers whose tools the model may call in this chat; nothing where the key may use none. */
export function ServerItems({ settings, onSettings, withTools = false }: Props) {
  const { value, error } = useUser<McpServerList>('mcp_servers');
  const servers = value?.data ?? [];
  if (value === undefined && error === undefined) return <p class="note pulse item">{t.servers.loading}</p>;
  if (servers.length === 0) return null;
  return (
    <fieldset class="servers">
      <legend>{t.servers.title}</legend>
      {servers.map((server) => (
        <ServerItem
          key={server.server_label}
          server={server}
          settings={settings}
          withTools={withTools}
          onTools={(names) => onSettings(withToolsOf(settings, server, names))}
        />
      ))}
    </fieldset>
  );
}

interface ItemProps extends Pick<Required<Props>, 'settings' | 'withTools'> {
  readonly server: McpServer;
  readonly onTools: (names: readonly string[]) => void;
}

function ServerItem({
  server: { server_label: label, tools, error },
  settings,
  withTools,
  onTools,
}: ItemProps) {
  const isChosen = settings.servers?.includes(label) ?? false;
  const names = tools.map(({ name }) => name);
  const chosen = isChosen ? (settings.serverTools?.[label] ?? names) : [];
  const isUnfolded = withTools && isChosen && tools.length > 1;
  const about = error ?? ((isChosen ? chosen : names).map(toolName).join(', ') || t.servers.noTools);
  return (
    <>
      <Check
        class="check item"
        isOn={isChosen}
        onChange={(isOn) => onTools(isOn ? names : [])}
        label={<Named name={label} about={isUnfolded ? '' : about} />}
      />
      {isUnfolded &&
        tools.map(({ name, description }) => (
          <Check
            key={name}
            class="check item tool"
            isOn={chosen.includes(name)}
            onChange={(isOn) => onTools(names.filter((one) => (one === name ? isOn : chosen.includes(one))))}
            label={<Named name={toolName(name)} about={description} />}
          />
        ))}
    </>
  );
}

const Named = ({ name, about }: { name: string; about: string | null }) => (
  <span>
    {name} <small>{about}</small>
  </span>
);

/** `settings` by which the model may call the tools of `server` of those names; none of them: it may not ask the server. */
export function withToolsOf(
  settings: ChatSettings,
  server: Pick<McpServer, 'server_label' | 'tools'>,
  names: readonly string[],
): ChatSettings {
  const { servers = [], serverTools = {}, ...rest } = settings;
  const { server_label: label, tools } = server;
  // One whose tools are not known now is chosen whole.
  const isChosen = names.length > 0 || (tools.length === 0 && !servers.includes(label));
  const isPart = isChosen && names.length < tools.length;
  const { [label]: _, ...others } = serverTools;
  const next = {
    servers: [...servers.filter((one) => one !== label), ...(isChosen ? [label] : [])],
    serverTools: isPart ? { ...others, [label]: names } : others,
  };
  return {
    ...rest,
    ...(next.servers.length > 0 && { servers: next.servers }),
    ...(Object.keys(next.serverTools).length > 0 && { serverTools: next.serverTools }),
  };
}
