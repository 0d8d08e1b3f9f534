import type { McpServerList } from '../../api/types.ts';
import { usePolled } from '../../state/polled.ts';
import { userJson } from '../../state/session.ts';
import { t } from '../../texts.ts';

interface Props {
  /** Labels. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[] | undefined) => void;
}

/** The servers whose tools the model may call in this chat; nothing where the key may use none. */
export function ServerChoice({ chosen, onChange }: Props) {
  const { value } = usePolled(() => userJson<McpServerList>('mcp_servers'), []);
  const servers = value?.data ?? [];
  if (servers.length === 0) return null;
  const toggle = (label: string, isOn: boolean) => {
    const next = isOn ? [...chosen, label] : chosen.filter((one) => one !== label);
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <fieldset class="servers">
      <legend>{t.servers.title}</legend>
      {servers.map(({ server_label: label, tools, error }) => (
        <label key={label} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(label)}
            onChange={({ currentTarget }) => toggle(label, currentTarget.checked)}
          />
          <span>
            {label}{' '}
            <span class="quiet">
              {error ?? (tools.map(({ name }) => name).join(', ') || t.servers.noTools)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
