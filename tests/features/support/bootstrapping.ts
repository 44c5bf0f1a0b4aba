import type { AuthService } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { newAuthenticator, preparePasskey } from '../../support/person.ts';
import type { AuditRow, TestService } from '../../support/test-service.ts';
import { useLink } from './recovery.ts';

/** Deletes all users and the row in `bootstrap`. Keeps the audit log. */
export async function forgetEverybody({ database: { sql } }: TestService): Promise<void> {
  await sql`delete from latchkey.bootstrap`;
  await sql`delete from latchkey.users`;
}

export const bootstrap = (
  { auth }: { auth: AuthService },
  superadmin: Parameters<ReturnType<AuthService['asOperator']>['bootstrap']>[0],
) => auth.asOperator('ops').bootstrap(superadmin);

/** The error code, or null if the bootstrap succeeds. */
export const refusalOf = (making: Promise<unknown>): Promise<string | null> =>
  making.then(
    () => null,
    (error: { code?: string }) => error.code ?? `${error}`,
  );

/** Uses a recovery link and adds the first passkey. */
export async function enroll(browser: TestAgent, token: string | undefined): Promise<Answer> {
  const entered = await useLink(browser, `${token}`);
  if (entered.status !== 200) return entered;
  const add = await preparePasskey(browser, newAuthenticator());
  return add();
}

/** All superadmins, with the numbers of their passkeys, recovery links and sessions. */
export const superadminRows = ({ database }: TestService) =>
  database.sql`
    select id, username, status, password_hash is not null as password,
      (select count(*)::int from latchkey.passkeys where user_id = users.id) as passkeys,
      (select count(*)::int from latchkey.recovery_links where user_id = users.id) as links,
      (select count(*)::int from latchkey.sessions where user_id = users.id) as sessions
    from latchkey.users where role = 'superadmin'`;

export const bootstrapEvents = ({ database }: TestService, outcome: 'success' | 'failure') =>
  database.sql<AuditRow[]>`
    select * from latchkey.audit_events
    where event = 'superadmin.bootstrap' and outcome = ${outcome} order by at, id`;
