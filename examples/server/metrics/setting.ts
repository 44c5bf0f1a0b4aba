import { ConfigurationError } from 'latchkey';

/** Where the server serves the metrics. */
export interface MetricsAddress {
  host: string;
  port: number;
}

/**
 * Reads METRICS_ADDR: `:<port>` or `host:port`, with brackets around an IPv6 host. Returns null if it is not set.
 *
 * Without a host, the server listens only on the loopback address, because everyone who reaches the port can read the
 * metrics.
 *
 * @throws ConfigurationError
 */
export function readMetricsSetting(env: NodeJS.ProcessEnv): MetricsAddress | null {
  const given = env.METRICS_ADDR?.trim();
  if (!given) return null;
  const match = /^(?:\[([\da-f:.]+)\]|([^:\s[\]]*)):(\d{1,5})$/i.exec(given);
  const port = Number(match?.[3]);
  if (match && port <= 65_535) return { host: match[1] ?? (match[2] || '127.0.0.1'), port };
  const expected = ':<port> or host:port, such as :9464 or 127.0.0.1:9464';
  throw new ConfigurationError([{ setting: 'METRICS_ADDR', given: JSON.stringify(given), expected }]);
}
