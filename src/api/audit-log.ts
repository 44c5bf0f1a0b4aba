import type { Context } from 'koa';
import { readTilePath } from '../audit/log/tile-path.ts';
import { readPublishedCheckpoint, readPublishedTile } from '../audit/operations/publish-log.ts';
import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

const published = {
  access: 'full_session',
  requires: 'audit:read',
  everywhere: true,
  publicWith: 'auditLogPublic',
  event: 'audit.list',
  budget: 'read',
  errors: ['not_found'],
} as const;

const checkpoint = {
  contentType: 'text/plain',
  description: 'A signed checkpoint (C2SP tlog-checkpoint).',
};

export const auditLogEndpoints = endpoints({
  getAuditCheckpoint: {
    ...published,
    on: 'GET /audit-log/checkpoint',
    summary: 'Get the signed checkpoint of the audit log',
    description:
      'The first line is the identifier of the log. Its last part is the `log` in the paths of the other endpoints. After a restore, the service can start a new log with another identifier. `not_found`: the log is empty.',
    answers: { 200: checkpoint },
  },
  getAuditLogCheckpoint: {
    ...published,
    on: 'GET /audit-log/:log/checkpoint',
    summary: 'Get the signed checkpoint of one audit log',
    description:
      'The same checkpoint, under the URL of the log, as C2SP tlog-tiles describes it. `not_found`: the service now has another log.',
    answers: { 200: checkpoint },
  },
  getAuditTile: {
    ...published,
    on: 'GET /audit-log/:log/tile/:level/*index',
    summary: 'Get hashes or entries of the audit log',
    description:
      'Returns a tile of the tree (C2SP tlog-tiles). With the level `entries`, returns a bundle of entries. `index` contains slashes: `000`, `x001/067`, or `x001/067.p/12` for the first 12 hashes. An entry contains the id and the time of an event and a commitment to its content, but no content. `not_found`: the log has fewer entries.',
    answers: {
      200: {
        contentType: 'application/octet-stream',
        description: 'Hashes of 32 bytes each, or entries, each preceded by its length in two bytes.',
      },
    },
  },
});

/** A checkpoint changes about every second. A tile never changes. */
const keepCheckpoint = 'public, max-age=5';
const keepTile = 'public, max-age=31536000, immutable';

export function auditLogRoutes(serve: Serve, runtime: Runtime): void {
  /** Caches must not keep a response that needs a session. */
  function answer(ctx: Context, body: string | Buffer | null, type: string, cacheControl: string): void {
    if (body === null) throw new AuthError('not_found');
    ctx.body = body;
    ctx.type = type;
    if (runtime.config.auditLog.isPublic) ctx.set('Cache-Control', cacheControl);
  }

  serve(auditLogEndpoints.getAuditCheckpoint, async (ctx, by) =>
    answer(ctx, await readPublishedCheckpoint(runtime, by, null), 'text/plain', keepCheckpoint),
  );

  serve(auditLogEndpoints.getAuditLogCheckpoint, async (ctx, by) =>
    answer(
      ctx,
      await readPublishedCheckpoint(runtime, by, `${ctx.params.log}`),
      'text/plain',
      keepCheckpoint,
    ),
  );

  serve(auditLogEndpoints.getAuditTile, async (ctx, by) => {
    const { log, level, index } = ctx.params;
    const place = readTilePath(`${level}`, `${index}`);
    const bytes = place && (await readPublishedTile(runtime, by, `${log}`, place));
    answer(ctx, bytes, 'application/octet-stream', keepTile);
  });
}
