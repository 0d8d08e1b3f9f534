import type { Operation } from '../openapi/operation.ts';

export const getMetrics: Operation = {
  method: 'GET',
  path: '/metrics',
  id: 'getMetrics',
  tag: 'Service',
  summary: 'What is counted and measured, for Prometheus',
  description: 'From another machine an admin key is needed.',
  access: 'this-machine',
  responses: {
    200: { description: 'Every metric, in the text format of Prometheus.', content: { 'text/plain': null } },
  },
  errors: ['insufficient_permissions'],
};
