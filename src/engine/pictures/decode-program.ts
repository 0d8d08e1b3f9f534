/** The program that decodes pictures in processes of its own. */
import { serveJobs } from '../processes/serve-jobs.ts';
import { decodeFile } from './decode-file.ts';

serveJobs((file) => decodeFile(file as Uint8Array));
