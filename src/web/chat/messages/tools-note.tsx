import type { McpServerList } from '../../api/types.ts';
import { useUser } from '../../state/asked.ts';
import { Button } from '../../ui/controls.tsx';
import { t } from '../../words/dialog-texts.ts';
import { toolName } from '../../words/tool-name.ts';

/** As many names of tools as a line has room for. */
const mostNamed = 4;

/** Below the offers of an empty chat: that the server has tools, and the way to them; nothing where the key may use none. */
export function ToolsNote() {
  const { value } = useUser<McpServerList>('mcp_servers');
  const names = (value?.data ?? []).flatMap(({ tools }) => tools.map(({ name }) => toolName(name)));
  if (names.length === 0) return null;
  const more = names.length - mostNamed;
  return (
    <p class="tools-note">
      {t.servers.offer(names.slice(0, mostNamed).join(', '), Math.max(0, more))}{' '}
      <Button
        class="plain-link"
        text={t.servers.choose}
        onClick={() => document.querySelector<HTMLElement>('.plus > button')?.click()}
      />
    </p>
  );
}
