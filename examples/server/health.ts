import type { Middleware } from 'koa';
import type { AuthService } from 'latchkey';
import type { Readiness } from './readiness.ts';

/**
 * `/healthz` returns 200 while the process runs. `/readyz` returns 200 if the process accepts requests, the
 * database is reachable and not a standby, and this version can use its schema. Otherwise, `/readyz` returns 503. If audit
 * events have waited for their positions for more than five minutes, or the witness has not cosigned the audit log for
 * more than five minutes, or the metadata of authenticators is out of date, the body says so, but the status stays 200.
 */
export function answerHealth(auth: AuthService, readiness: Readiness): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      ctx.body = { status: 'up' };
    } else if (ctx.path === '/readyz') {
      const ready = readiness.check() && (await auth.isReady().catch(() => false));
      ctx.res.once('finish', () => readiness.answered(ready));
      ctx.status = ready ? 200 : 503;
      const { auditLog, authenticatorMetadata } = auth.statistics();
      const { waitingSeconds, witnessSeconds } = auditLog;
      ctx.body = {
        status: ready ? 'ready' : 'not ready',
        ...((waitingSeconds ?? 0) >= 300 && { auditLog: 'behind' }),
        ...((witnessSeconds ?? 0) >= 300 && { auditWitness: 'behind' }),
        ...(authenticatorMetadata?.isStale && { authenticatorMetadata: 'out of date' }),
      };
    } else {
      await next();
      return;
    }
    ctx.set('Cache-Control', 'no-store');
  };
}
