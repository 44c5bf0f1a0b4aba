import type { Middleware } from 'koa';
import type { FilesAuthService } from './files/capabilities.ts';

/** The setup steps that a new service still needs. */
export interface Setup {
  /** True until a superadmin who can sign in has been created. */
  needsSuperadmin: boolean;
}

export async function readSetup(auth: FilesAuthService): Promise<Setup> {
  const { bootstrap } = await auth.asOperator('server').overview();
  return { needsSuperadmin: bootstrap !== 'done' };
}

/**
 * `/api/setup` returns the missing setup steps, in development only. In production, visitors do not learn whether the
 * service has a superadmin.
 */
export const answerSetup =
  (auth: FilesAuthService): Middleware =>
  async (ctx, next) => {
    if (auth.config.production || ctx.path !== '/api/setup' || ctx.method !== 'GET') return next();
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await readSetup(auth);
  };
