import type { McpServerList } from '../../api/types.ts';
import { useUser } from '../../state/asked.ts';
import { Check } from '../../ui/forms/fields.tsx';
import { t } from '../../words/dialog-texts.ts';
import { toolName } from '../../words/tool-name.ts';
import { withToolsOf } from '../composer/server-items.tsx';
import type { Conversation } from '../conversations/conversation.ts';
import { changeChat } from '../new-chat.ts';
import './tools-note.css';

/** Below the offers of an empty chat: a switch for each server of tools; nothing where the key may use none. */
export function ToolsNote({ conversation: { id, settings } }: { conversation: Conversation }) {
  const { value } = useUser<McpServerList>('mcp_servers');
  const servers = (value?.data ?? []).filter(({ tools }) => tools.length > 0);
  if (servers.length === 0) return null;
  return (
    <div class="tools-note" role="group" aria-label={t.servers.offer}>
      <span>{t.servers.offer}</span>
      {servers.map((server) => {
        const { server_label: label, tools } = server;
        const names = tools.map(({ name }) => name);
        const about = `${label}: ${names.map(toolName).join(', ')}`;
        return (
          <Check
            key={label}
            class="switch"
            label={<span title={about}>{about}</span>}
            isOn={settings.servers?.includes(label) ?? false}
            onChange={(isOn) =>
              changeChat(id, (old) => ({
                ...old,
                settings: withToolsOf(old.settings, server, isOn ? names : []),
              }))
            }
          />
        );
      })}
    </div>
  );
}
