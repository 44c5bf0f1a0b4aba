import type { Middleware } from 'koa';
import type { FilesAuthService } from './files/capabilities.ts';

/** What is missing before a new service can be used. */
export interface Setup {
  /** Whether no superadmin who can sign in has been created yet. */
  needsSuperadmin: boolean;
}

export async function readSetup(auth: FilesAuthService): Promise<Setup> {
  const { bootstrap } = await auth.asOperator('server').overview();
  return { needsSuperadmin: bootstrap !== 'done' };
}

/**
 * `/api/setup` tells the pages what is missing, in development only. In production, visitors do not learn whether the
 * service has a superadmin.
 */
export const answerSetup =
  (auth: FilesAuthService): Middleware =>
  async (ctx, next) => {
    if (auth.config.production || ctx.path !== '/api/setup' || ctx.method !== 'GET') return next();
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await readSetup(auth);
  };
