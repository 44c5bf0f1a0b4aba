import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly, reasonText, text } from '../http/input.ts';
import { findUserToImpersonate, startImpersonation } from '../impersonation/operations/start.ts';
import { useImpersonationLink } from '../impersonation/operations/use-link.ts';
import { endpoints } from './endpoint.ts';
import { sessionResource, userResource } from './resources.ts';
import { idOf, type Serve, signIn } from './serve.ts';

const reason = v.pipe(
  reasonText,
  v.description('Why the impersonation is necessary. The audit log contains this text.'),
);

const impersonating = v.object({ user: userResource, session: sessionResource });

export const impersonationEndpoints = endpoints(
  {
    startImpersonation: {
      on: 'POST /admin/users/:id/impersonation',
      access: 'fresh',
      requires: 'user:impersonate',
      event: 'impersonation.start',
      target: 'user',
      returnsToken: true,
      budget: 'write',
      summary: 'Open a session as a user',
      description:
        'Ends the session of the caller, and opens a session as the user, who must have a lower role. The session ends after an hour, with `DELETE /session`, or when the user or a superadmin ends it. It also ends if the caller loses the role `superadmin`, is disabled, or ends all own sessions. In this session, the caller can read what the user can read, but cannot change the account, cannot sign in again and has no rights of an admin. The user sees the session in the list of sessions. The audit log records both users.',
      body: exactly({ reason }),
      answers: { 201: impersonating },
      errors: ['not_found', 'account_disabled'],
    },
    useImpersonationLink: {
      on: 'POST /impersonation',
      access: 'none',
      returnsToken: true,
      budget: 'recovery',
      summary: 'Open a session as a user with the link of an operator',
      description:
        'The link is single-use and expires five minutes after its creation. Every failure returns the same error.',
      body: exactly({ token: text }),
      answers: { 200: impersonating },
      errors: ['authentication_failed'],
    },
  },
  'impersonation',
);

export function impersonationRoutes(serve: Serve, runtime: Runtime): void {
  serve(impersonationEndpoints.startImpersonation, async (ctx, by, { body }) => {
    // Checks access before it reads the body, so that a caller without access gets no errors about the body.
    await findUserToImpersonate(runtime, by, idOf(ctx));
    const { reason } = await body();
    const { user, ...opened } = await startImpersonation(runtime, by, idOf(ctx), reason);
    ctx.status = 201;
    ctx.body = { user, session: signIn(ctx, runtime, user, opened) };
  });

  serve(impersonationEndpoints.useImpersonationLink, async (ctx, caller, { body }) => {
    const { token } = await body();
    const { user, ...opened } = await useImpersonationLink(runtime, caller, token);
    ctx.body = { user, session: signIn(ctx, runtime, user, opened) };
  });
}
