import { Readable } from 'node:stream';
import type { Runtime } from '../core/runtime.ts';
import type { Serve } from '../http/endpoints.ts';
import { requireReach } from '../roles/operations.ts';
import type { AuditEvent } from './activity.ts';
import { activityEndpoints } from './endpoints.ts';
import { exportEvents, listEvents } from './operations.ts';

export function activityRoutes(serve: Serve, runtime: Runtime): void {
  serve(activityEndpoints.listAuditEvents, async (ctx, actor, { query }) => {
    const reach = await requireReach(runtime, actor, 'activity:read', { event: 'audit.list' });
    const { items, nextCursor } = await listEvents(runtime, reach, query());
    ctx.body = { events: items, nextCursor };
  });

  serve(activityEndpoints.exportAuditEvents, async (ctx, actor, { query }) => {
    const reach = await requireReach(runtime, actor, 'activity:read', { event: 'audit.export' });
    const filter = query();
    // Whoever asks for the head alone takes nothing out.
    const batches = ctx.method === 'HEAD' ? null : await exportEvents(runtime, actor, reach, filter);
    ctx.status = 200;
    ctx.type = 'application/x-ndjson';
    ctx.attachment('latchkey-audit.ndjson', { type: 'attachment' });
    if (batches === null) return;
    // Read as fast as the client takes it. Where the database fails midway the answer breaks off, and shows it.
    ctx.body = Readable.from(linesOf(batches), { objectMode: false }).once('error', () => ctx.res.destroy());
  });
}

async function* linesOf(batches: AsyncIterable<AuditEvent[]>): AsyncGenerator<string> {
  for await (const events of batches) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
