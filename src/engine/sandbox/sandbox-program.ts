/**
 * The program that renders templates and compiles schemas in processes of its own. Its argument is llama.cpp's addon.
 */
import { openTemplateEngine } from '../llama/template-engine.ts';
import { doTurnJob } from './do-job.ts';
import { serveJobs } from '../processes/serve-jobs.ts';
import type { SandboxJob } from './sandbox-job.ts';

const createRenderer = openTemplateEngine(process.argv[2] ?? '');
serveJobs((job, tellProgress) => doTurnJob(job as SandboxJob, { createRenderer, tellProgress }));
