import type { Invitation } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFrozenService } from '../support/frozen-clock.ts';
import { inTurn } from '../support/many-requests.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectUncached } from '../support/problem.ts';
import type { TestService } from '../support/test-service.ts';
import { accept, deleteUser, invitationsPath, invite, signUpAs } from './support/authority.ts';
import { inviteWhole, revoke } from './support/invitations.ts';

let service: TestService;
let chief: Person;
beforeAll(async () => {
  service = await startFrozenService();
  chief = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
beforeEach(() => service.database.sql`delete from latchkey.invitations`);

const list = (query = '') => chief.browser.get(`${invitationsPath}${query}`);
const idsIn = (invitations: Invitation[]) => invitations.map(({ id }) => id);

/** The ids on all pages, page by page. */
async function pages(query: string, between = async () => {}): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await list(`?${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    found.push(idsIn(body.invitations));
    cursor = body.nextCursor;
    await between();
  } while (cursor !== null);
  return found;
}

describe('the list of invitations', () => {
  test('is empty where there are none', async () => {
    const answer = await list();
    expectUncached(answer);
    expect([answer.status, answer.body]).toEqual([200, { invitations: [], nextCursor: null }]);
  });

  test('shows each as it was made, and nothing of its token', async () => {
    const { invitation } = await inviteWhole(chief.browser, { expiresInHours: 5 });
    expect((await list()).body).toEqual({ invitations: [invitation], nextCursor: null });
  });

  test('is of one superadmin as of another', async () => {
    const { invitation } = await inviteWhole((await signUpAs(service, 'superadmin')).browser);
    expect((await list()).body.invitations).toEqual([invitation]);
  });

  test('begins with the newest, page by page, without a gap and without one twice', async () => {
    const made = await inTurn(7, async () => (await inviteWhole(chief.browser)).invitation.id);
    made.reverse();
    expect(await pages('limit=3')).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
    expect(await pages('limit=7')).toEqual([made]);
    expect(await pages('limit=200')).toEqual([made]);
  });

  test('stays in place for a reader while more are made and others go', async () => {
    const made = await inTurn(6, async () => (await inviteWhole(chief.browser)).invitation.id);
    made.reverse();
    const seen = await pages('limit=2', async () => {
      await inviteWhole(chief.browser);
      await service.database.sql`delete from latchkey.invitations where id = ${`${made[1]}`}`;
    });
    expect(seen).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
  });

  test('has fifty on a page where no number is asked for', async () => {
    const { invitations } = service.auth.asOperator('ops');
    await inTurn(51, () => invitations.create());
    const { body } = await list();
    expect(body.invitations).toHaveLength(50);
    expect((await list(`?cursor=${body.nextCursor}`)).body).toMatchObject({ nextCursor: null });
    expect((await list(`?limit=51`)).body).toMatchObject({ nextCursor: null });
  });

  test('tells by status what has become of each, at the second in which it becomes it', async () => {
    const invitee = await signUp(service);
    const { invitation: accepted, token } = await inviteWhole(chief.browser);
    const { invitation: revoked } = await inviteWhole(chief.browser);
    const { invitation: expired } = await inviteWhole(chief.browser, { expiresInHours: 1 });
    const { invitation: pending } = await inviteWhole(chief.browser, { expiresInHours: 2 });
    await accept(invitee.browser, token);
    await revoke(chief.browser, revoked);
    const withStatus = async (status: string) => {
      const { invitations } = (await list(`?status=${status}`)).body;
      expect((invitations as Invitation[]).every((invitation) => invitation.status === status)).toBe(true);
      return idsIn(invitations);
    };
    await service.turnClock({ seconds: 3599 });
    expect(await withStatus('pending')).toEqual([pending.id, expired.id]);
    expect(await withStatus('expired')).toEqual([]);
    await service.turnClock({ seconds: 1 });
    expect(await withStatus('pending')).toEqual([pending.id]);
    expect(await withStatus('expired')).toEqual([expired.id]);
    expect(await withStatus('accepted')).toEqual([accepted.id]);
    expect(await withStatus('revoked')).toEqual([revoked.id]);
    // What was accepted or revoked stays so when its time is over.
    await service.turnClock({ minutes: 72 * 60 });
    chief = await signUpAs(service, 'superadmin');
    expect(await withStatus('accepted')).toEqual([accepted.id]);
    expect(await withStatus('revoked')).toEqual([revoked.id]);
    expect(await withStatus('expired')).toEqual([pending.id, expired.id]);
  });

  test('has pages of one status alone', async () => {
    const made = await inTurn(6, async () => (await inviteWhole(chief.browser)).invitation);
    const gone = made.filter((_, n) => n % 2 === 0);
    for (const invitation of gone) await revoke(chief.browser, invitation);
    const ids = idsIn(gone).reverse();
    expect(await pages('status=revoked&limit=2')).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  test('names who made it and who has accepted it, as long as they have an account', async () => {
    const [maker, invitee] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    await accept(invitee.browser, await invite(maker.browser, { username: invitee.username }));
    const named = ({ username, ...person }: Person) => ({ id: userIdOf(person as Person), username });
    expect((await list()).body.invitations).toMatchObject([
      { createdBy: named(maker), acceptedBy: named(invitee), username: invitee.username },
    ]);
    await deleteUser(chief.browser, maker);
    await deleteUser(chief.browser, invitee);
    expect((await list()).body.invitations).toMatchObject([
      { createdBy: null, acceptedBy: null, status: 'accepted', username: invitee.username },
    ]);
  });

  test('names nobody as the maker of one that an operator has made', async () => {
    const { invitation } = await service.auth.asOperator('ops').invitations.create();
    expect(invitation.createdBy).toBeNull();
    expect((await list()).body.invitations).toEqual([invitation]);
  });

  const limit = 'expected a number from 1 to 200';
  const status = 'expected "pending", "accepted", "revoked" or "expired"';
  const cursor = 'expected the nextCursor of the page before';
  test.each([
    ['limit=0', 'limit', limit],
    ['limit=201', 'limit', limit],
    ['limit=-1', 'limit', limit],
    ['limit=1.5', 'limit', limit],
    ['limit=', 'limit', limit],
    ['limit=many', 'limit', limit],
    ['limit=1&limit=2', 'limit', 'expected one number'],
    ['status=open', 'status', status],
    ['status=', 'status', status],
    ['status=pending&status=revoked', 'status', status],
    ['cursor=', 'cursor', cursor],
    ['cursor=nonsense', 'cursor', cursor],
    [`cursor=${Buffer.from("' or true --").toString('base64url')}`, 'cursor', cursor],
    ['role=admin', 'role', 'this member is not known'],
  ])('is not given for ?%s', async (query, path, message) => {
    const answer = await list(`?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors).toEqual([{ path, message }]);
  });

  test('takes a cursor whose invitation is gone', async () => {
    const made = await inTurn(3, async () => (await inviteWhole(chief.browser)).invitation.id);
    const { nextCursor } = (await list('?limit=1')).body;
    await service.database.sql`delete from latchkey.invitations where id = ${`${made[2]}`}`;
    expect(idsIn((await list(`?cursor=${nextCursor}`)).body.invitations)).toEqual([made[1], made[0]]);
  });
});
