import { createServer, type Server } from 'node:http';
import type { Metrics } from './registry.ts';

/** `GET /metrics` and nothing else: on a port of its own, because it is nobody's business who comes through the front. */
export function createMetricsServer({ registry }: Metrics): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    const text = await registry.metrics();
    response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
}
