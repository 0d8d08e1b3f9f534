import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';

const alive = z.strictObject({ status: z.literal('ok') }).register(components, { id: 'Alive' });
const ready = z
  .strictObject({
    status: z.literal('ready'),
    unavailable: z
      .array(z.strictObject({ model: z.string(), reason: z.string() }))
      .min(1)
      .optional()
      .meta({ description: 'Models that cannot serve now. The others can.' }),
  })
  .register(components, { id: 'Ready' });

export const serviceOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/healthz',
    id: 'getHealth',
    tag: 'Service',
    summary: 'Whether the process lives',
    access: 'anyone',
    responses: { 200: { description: 'It does.', content: { 'application/json': alive } } },
  },
  {
    method: 'GET',
    path: '/readyz',
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Whether requests can be served',
    access: 'this-machine',
    responses: { 200: { description: 'They can.', content: { 'application/json': ready } } },
    errors: ['server_shutting_down', 'not_ready'],
  },
  {
    method: 'GET',
    path: '/metrics',
    id: 'getMetrics',
    tag: 'Service',
    summary: 'What is counted and measured, for Prometheus',
    description: 'From another machine an admin key is needed.',
    access: 'this-machine',
    responses: {
      200: {
        description: 'Every metric, in the text format of Prometheus.',
        content: { 'text/plain': null },
      },
    },
    errors: ['insufficient_permissions'],
  },
];
