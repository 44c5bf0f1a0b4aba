import { Readable } from 'node:stream';
import type { Runtime } from '../core/runtime.ts';
import type { Endpoints } from '../http/endpoints.ts';
import { readQuery } from '../http/read-body.ts';
import { requireReach } from '../roles/operations.ts';
import type { AuditEvent } from './activity.ts';
import { auditQuery, exportQuery } from './input.ts';
import { exportEvents, listEvents } from './operations.ts';

export function activityRoutes({ signedIn }: Endpoints, runtime: Runtime): void {
  signedIn('get', '/admin/audit', 'read', async (ctx, actor) => {
    const reach = await requireReach(runtime, actor, 'activity:read', { event: 'audit.list' });
    const { items, nextCursor } = await listEvents(runtime, reach, readQuery(ctx, auditQuery));
    ctx.body = { events: items, nextCursor };
  });

  signedIn('get', '/admin/audit/export', 'read', async (ctx, actor) => {
    const reach = await requireReach(runtime, actor, 'activity:read', { event: 'audit.export' });
    const filter = readQuery(ctx, exportQuery);
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
