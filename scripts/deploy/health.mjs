/** Ends well where the server of the data folder lives, on whatever port, and with or without a certificate. */
import { readFileSync } from 'node:fs';

// The address is the server's own, in a file that only it writes; its certificate may name other hosts.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
const address = readFileSync(`${process.env['HEARTH_DATA_DIR']}/hearth.db.address`, 'utf8').trim();
const { ok } = await fetch(new URL('/healthz', address));
process.exit(ok ? 0 : 1);
