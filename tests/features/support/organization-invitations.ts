import type { OrganizationInvitation } from 'latchkey';
import type { Answer, TestAgent } from '../../support/agent.ts';
import { statuses, together } from '../../support/many-requests.ts';
import { type Person, userIdOf } from '../../support/person.ts';
import type { AuditRow, TestService } from '../../support/test-service.ts';
import { inviteTo, organizationsPath } from './authority.ts';

export const receivedPath = '/auth/invitations';

type Known = { id: string };

export const acceptReceived = (browser: TestAgent, { id }: Known): Promise<Answer> =>
  browser.post(`${receivedPath}/${id}/accept`);

export const declineReceived = (browser: TestAgent, { id }: Known): Promise<Answer> =>
  browser.post(`${receivedPath}/${id}/decline`);

export const acceptLink = (browser: TestAgent, token: string): Promise<Answer> =>
  browser.post(`${receivedPath}/accept`, { token });

export const previewLink = (browser: TestAgent, token: string): Promise<Answer> =>
  browser.post(`${receivedPath}/preview`, { token });

export const invitationsPathOf = ({ id }: Known): string => `${organizationsPath}/${id}/invitations`;

export const revokeIn = (browser: TestAgent, organization: Known, { id }: Known): Promise<Answer> =>
  browser.delete(`${invitationsPathOf(organization)}/${id}`);

export async function offer(
  browser: TestAgent,
  organization: Known,
  { username }: { username: string },
  input: object = {},
): Promise<OrganizationInvitation> {
  const { status, body } = await inviteTo(browser, organization, { username, ...input });
  if (status !== 201) throw new Error(`inviting returned ${status} ${body.code}`);
  return body.invitation;
}

export async function link(
  browser: TestAgent,
  organization: Known,
  input: object = {},
): Promise<{ invitation: OrganizationInvitation; token: string; url: string }> {
  const { status, body } = await inviteTo(browser, organization, input);
  if (status !== 201) throw new Error(`creating a link returned ${status} ${body.code}`);
  return body;
}

/** The pending invitations that a user has received. */
export async function receivedBy(browser: TestAgent): Promise<OrganizationInvitation[]> {
  const { status, body } = await browser.get(`${receivedPath}?limit=200`);
  if (status !== 200) throw new Error(`listing the invitations returned ${status} ${body.code}`);
  return body.invitations;
}

export async function invitationsOf(
  browser: TestAgent,
  organization: Known,
): Promise<OrganizationInvitation[]> {
  const { status, body } = await browser.get(`${invitationsPathOf(organization)}?limit=200`);
  if (status !== 200) throw new Error(`listing the invitations returned ${status} ${body.code}`);
  return body.invitations;
}

/** The state of an invitation in the database, and the number of its successful audit events by kind. */
export async function fateOf({ database }: TestService, { id }: Known) {
  const [row] = await database.sql`
    select accepted_by, revoked_at is not null as revoked, declined_at is not null as declined
    from latchkey.organization_invitations where id = ${id}`;
  const rows = await database.sql<AuditRow[]>`
    select * from latchkey.audit_events where target_id = ${id} order by at, id`;
  const count = (event: string, outcome: string) =>
    rows.filter((entry) => entry.event === `organization_invitation.${event}` && entry.outcome === outcome)
      .length;
  return {
    acceptedBy: row?.accepted_by ?? null,
    revoked: row?.revoked ?? null,
    declined: row?.declined ?? null,
    acceptances: count('accept', 'success'),
    declines: count('decline', 'success'),
    revocations: count('revoke', 'success'),
  };
}

/** The ids of those `people` who are members of the organization. */
export async function membersAmong(
  { database }: TestService,
  { id }: Known,
  people: readonly Person[],
): Promise<string[]> {
  const rows = await database.sql<{ user_id: string }[]>`
    select user_id from latchkey.memberships
    where organization_id = ${id} and user_id = any(${people.map(userIdOf)}::uuid[])`;
  return rows.map(({ user_id }) => user_id);
}

/** Deletes memberships with SQL. */
export const expel = ({ database }: TestService, { id }: Known, people: readonly Person[]) =>
  database.sql`
    with gone as (
      delete from latchkey.memberships
      where organization_id = ${id} and user_id = any(${people.map(userIdOf)}::uuid[])
      returning user_id
    )
    update latchkey.users set version = version + 1 where id in (select user_id from gone)`;

/**
 * Sends two requests concurrently. In even rounds, `second` is sent first. Returns the statuses in the order of the
 * arguments.
 */
export async function inEitherOrder(
  round: number,
  first: () => Promise<Answer>,
  second: () => Promise<Answer>,
): Promise<[first: number, second: number]> {
  const answers = await together(round % 2 ? [first, second] : [second, first]);
  const [one = 0, other = 0] = statuses(round % 2 ? answers : answers.reverse());
  return [one, other];
}
