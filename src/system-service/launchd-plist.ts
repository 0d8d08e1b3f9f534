/** The name by which launchd knows the service. */
export const launchdLabel = 'hearth.server';

export interface LaunchdJob {
  /** The program and its arguments, each as it is. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Where standard output and standard error are appended. */
  readonly logFile: string;
}

/** The property list by which launchd runs this program, from login or start of the machine on. */
export function launchdPlist({ command, environment = {}, logFile }: LaunchdJob): string {
  const variables = Object.entries({ NODE_ENV: 'production', ...environment })
    .map(([name, value]) => `      <key>${escapeXml(name)}</key>\n      <string>${escapeXml(value)}</string>`)
    .join('\n');
  const words = command.map((word) => `      <string>${escapeXml(word)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
  <dict>
    <key>Label</key>
    <string>${launchdLabel}</string>
    <key>ProgramArguments</key>
    <array>
${words}
    </array>
    <key>EnvironmentVariables</key>
    <dict>
${variables}
    </dict>
    <key>RunAtLoad</key>
    <true/>
    <key>KeepAlive</key>
    <dict>
      <key>SuccessfulExit</key>
      <false/>
    </dict>
    <key>ExitTimeOut</key>
    <integer>60</integer>
    <key>Umask</key>
    <integer>63</integer>
    <key>SoftResourceLimits</key>
    <dict>
      <key>NumberOfFiles</key>
      <integer>65536</integer>
    </dict>
    <key>StandardOutPath</key>
    <string>${escapeXml(logFile)}</string>
    <key>StandardErrorPath</key>
    <string>${escapeXml(logFile)}</string>
  </dict>
</plist>
`;
}

function escapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text))
    throw new RangeError(`a service cannot be given ${JSON.stringify(text)}: it has control characters`);
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
