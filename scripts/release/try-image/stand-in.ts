import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';

const release = 'trixie';
const tag = `hearth-stand-in:${release}-slim`;
const certificates = '/usr/local/share/try-image-certificates.pem';

/** As in Docker's official images. */
const debianSources = `Types: deb
URIs: http://deb.debian.org/debian
Suites: ${release} ${release}-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://deb.debian.org/debian-security
Suites: ${release}-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

/**
 * Name of an image like node:24-trixie-slim, made here where no registry of images is reached: Debian by debootstrap,
 * this Node.js, npm from its registry, and the certificates that this machine trusts. Takes root and some minutes.
 */
export function makeStandIn(): string {
  const root = mkdtempSync(join(tmpdir(), 'hearth-stand-in-'));
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    run('debootstrap', '--variant=minbase', release, root);
    // The temporary folder is for its owner only, and would be so as the root of the image.
    chmodSync(root, 0o755);
    run('chroot', root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node');
    rmSync(join(root, 'etc/apt/sources.list'), { force: true });
    writeFileSync(join(root, 'etc/apt/sources.list.d/debian.sources'), debianSources);
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
    copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
    run('npm', 'install', '--global', '--prefix', join(root, 'usr/local'), '--no-audit', 'npm@11');
    writeFileSync(join(root, certificates), getCACertificates('extra').join('\n'));
    const archive = `${root}.tar`;
    run('tar', '-C', root, '-cf', archive, '.');
    run('docker', 'import', '--change', `ENV NODE_EXTRA_CA_CERTS=${certificates}`, archive, tag);
    rmSync(archive);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return tag;
}
