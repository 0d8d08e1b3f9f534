import { z } from 'zod';
import { namedObject } from '../openapi/json-schema.ts';
import { bytes, json, operationsOf } from '../openapi/operation.ts';

const alive = namedObject('Alive', { status: z.literal('ok') });
const ready = namedObject('Ready', {
  status: z.literal('ready'),
  unavailable: z
    .array(z.strictObject({ model: z.string(), reason: z.string() }))
    .min(1)
    .optional()
    .meta({ description: 'Models that cannot serve now. The others can.' }),
});

export const serviceOperations = operationsOf(['Service', 'this-machine'], {
  getHealth: {
    route: 'GET /healthz',
    summary: 'Whether the process lives',
    access: 'anyone',
    answer: json(alive, 'It does.'),
  },
  getReadiness: {
    route: 'GET /readyz',
    summary: 'Whether requests can be served',
    answer: json(ready, 'They can.'),
    errors: ['server_shutting_down', 'not_ready'],
  },
  getMetrics: {
    route: 'GET /metrics',
    summary: 'What is counted and measured, for Prometheus',
    description: 'From another machine an admin key is needed.',
    answer: bytes(['text/plain'], 'Every metric, in the text format of Prometheus.'),
    errors: ['insufficient_permissions'],
  },
});
