import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createInstruments } from '../../../src/telemetry/instruments.ts';
import { Metrics, type ModelReading } from '../../../src/telemetry/metrics.ts';

interface DescribedMetric {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** The rows of the table in docs/metrics.md, as they are. */
function documentedRows(): string[] {
  const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
  return page.split('\n').filter((line) => line.startsWith('| `'));
}

function toRow(metric: DescribedMetric): string {
  const type = metric.constructor.name.toLowerCase();
  const labels = metric.labelNames.map((label) => ` \`${label}\``).join(',');
  return `| \`${metric.name}\` | ${type} |${labels} | ${metric.help} |`;
}

describe('the table in docs/metrics.md', () => {
  it('says of every metric what it is, and of nothing else', () => {
    const registry = new Registry();
    createInstruments(registry);
    const metrics = registry.getMetricsAsArray() as unknown as readonly DescribedMetric[];
    expect(metrics.length).toBeGreaterThan(20);
    expect(documentedRows().toSorted()).toEqual(metrics.map(toRow).toSorted());
  });
});

describe('Metrics', () => {
  it('follows the models that come into memory and leave it', async () => {
    const memory = { ramBytes: 5, vramBytes: 7 };
    const loaded: ModelReading = { id: 'a', state: 'loaded', memory, slots: 4, busySlots: 3, waiting: 2 };
    let models: ModelReading[] = [loaded, { id: 'b', state: 'available' }];
    const metrics = new Metrics();
    metrics.read({ models: () => models, memory: () => ({ budget: memory, used: memory, cacheBytes: 9 }) });
    const text = await metrics.render();
    for (const line of [
      'hearth_models{state="loaded"} 1',
      'hearth_models{state="available"} 1',
      'hearth_queue_depth{model="a"} 2',
      'hearth_slots{model="a"} 4',
      'hearth_slots_busy{model="a"} 3',
      'hearth_model_memory_bytes{model="a",device="vram"} 7',
      'hearth_memory_used_bytes{device="ram"} 5',
      'hearth_cache_memory_bytes 9',
    ])
      expect(text.split('\n')).toContain(line);
    models = [{ id: 'b', state: 'available' }];
    expect(await metrics.render()).not.toContain('model="a"');
  });

  it('counts the errors and tokens of a request that ended', async () => {
    const metrics = new Metrics();
    metrics.requestBegan();
    metrics.requestBegan();
    metrics.requestEnded({
      route: '/v1/chat/completions',
      requestId: 'req_1',
      status: 200,
      durationMs: 1500,
      model: 'a',
      errorCode: 'engine_error',
      promptTokens: 10,
      cachedTokens: 4,
      completionTokens: 3,
      timeToFirstTokenMs: 20,
    });
    const lines = (await metrics.render()).split('\n');
    for (const line of [
      'hearth_requests_in_flight 1',
      'hearth_requests_total{route="/v1/chat/completions",model="a",status="200"} 1',
      'hearth_request_duration_seconds_sum{route="/v1/chat/completions"} 1.5',
      'hearth_errors_total{code="engine_error"} 1',
      'hearth_prompt_tokens_total{model="a"} 10',
      'hearth_cached_prompt_tokens_total{model="a"} 4',
      'hearth_completion_tokens_total{model="a"} 3',
      'hearth_time_to_first_token_seconds_bucket{le="0.05",model="a"} 1',
      'hearth_time_to_first_token_seconds_bucket{le="0.01",model="a"} 0',
    ])
      expect(lines).toContain(line);
  });
});
