import { createServer, type Server } from 'node:http';
import type { AuthService } from 'latchkey';
import { createMetrics, type Metrics } from './registry.ts';

export interface MetricsServer extends Metrics {
  server: Server;
}

/** Serves only `/metrics`, on a separate port, so that the metrics are not served to the clients of the application. */
export function createMetricsServer(auth: AuthService): MetricsServer {
  const metrics = createMetrics(auth);
  const { registry } = metrics;
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
  return { ...metrics, server };
}
