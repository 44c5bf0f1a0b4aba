import type { AuthService } from 'latchkey';
import { createMetrics } from '../../examples/server/metrics/registry.ts';
import { code, table } from '../markdown.ts';

/** The generated parts of docs/reference/metrics.md, by name. */
export async function metricsParts(): Promise<Record<string, string>> {
  const { registry } = createMetrics(withoutRequests as unknown as AuthService);
  const metrics = await registry.getMetricsAsJSON();
  const own = metrics.filter(({ name }) => /^(latchkey|http)_/.test(name));
  return {
    metrics: table(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      own.map(({ name, help, type }) => [code(name), `${type}`, labelsOf(name), help]),
    ),
  };

  function labelsOf(name: string): string {
    const metric = registry.getSingleMetric(name) as unknown as { labelNames?: string[] } | undefined;
    return (metric?.labelNames ?? []).map(code).join(', ');
  }
}

/** A service that has not served a request. */
const withoutRequests = {
  statistics: () => ({
    operations: [],
    sessionChecks: { fromCache: 0, fromDatabase: 0, cached: 0, listening: true },
    passwords: { running: 0, waiting: 0 },
    database: { pending: 0, succeeded: 0, failed: 0 },
    rateLimits: { shared: null },
    webhooks: { delivered: 0, failed: 0 },
    auditLog: { waitingSeconds: null, witnessSeconds: null },
  }),
};
