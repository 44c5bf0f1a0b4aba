import type { Invitation } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import type { AuditRow, TestService } from '../../support/test-service.ts';
import { invitationsPath, postInvitation } from './authority.ts';
import { currentUser } from './current-session.ts';

export const preview = (browser: TestAgent, token: string): Promise<Answer> =>
  browser.post(`${invitationsPath}/preview`, { token });

export const revoke = (browser: TestAgent, { id }: { id: string }): Promise<Answer> =>
  browser.delete(`${invitationsPath}/${id}`);

export async function inviteWhole(
  browser: TestAgent,
  input: object = {},
): Promise<{ invitation: Invitation; token: string }> {
  const { status, body } = await postInvitation(browser, input);
  if (status !== 201) throw new Error(`inviting returned ${status} ${body.code}`);
  return body;
}

/** The invitation in the list of invitations. */
export async function listed(browser: TestAgent, { id }: { id: string }): Promise<Invitation | undefined> {
  const { body } = await browser.get(`${invitationsPath}?limit=200`);
  return (body.invitations as Invitation[]).find((invitation) => invitation.id === id);
}

export const roleOf = async (browser: TestAgent): Promise<string> => (await currentUser(browser)).role;

/** Every audit row about an invitation, oldest first. */
export const auditRowsOfInvitation = ({ database }: TestService, { id }: { id: string }) =>
  database.sql<AuditRow[]>`select * from latchkey.audit_events where target_id = ${id} order by at, id`;
