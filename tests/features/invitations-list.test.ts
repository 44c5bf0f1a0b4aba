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
let superadmin: Person;
beforeAll(async () => {
  service = await startFrozenService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());
beforeEach(() => service.database.sql`delete from latchkey.invitations`);

const list = (query = '') => superadmin.browser.get(`${invitationsPath}${query}`);
const idsIn = (invitations: Invitation[]) => invitations.map(({ id }) => id);

/** Reads all pages, and returns the ids on each page. Calls `between` after each page. */
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
  test('is empty if there are no invitations', async () => {
    const answer = await list();
    expectUncached(answer);
    expect([answer.status, answer.body]).toEqual([200, { invitations: [], nextCursor: null }]);
  });

  test('shows each invitation as it was created, without its token', async () => {
    const { invitation } = await inviteWhole(superadmin.browser, { expiresInHours: 5 });
    expect((await list()).body).toEqual({ invitations: [invitation], nextCursor: null });
  });

  test('contains the invitations of every superadmin', async () => {
    const { invitation } = await inviteWhole((await signUpAs(service, 'superadmin')).browser);
    expect((await list()).body.invitations).toEqual([invitation]);
  });

  test('shows the newest invitation first, page by page, without gaps or duplicates', async () => {
    const made = await inTurn(7, async () => (await inviteWhole(superadmin.browser)).invitation.id);
    made.reverse();
    expect(await pages('limit=3')).toEqual([made.slice(0, 3), made.slice(3, 6), made.slice(6)]);
    expect(await pages('limit=7')).toEqual([made]);
    expect(await pages('limit=200')).toEqual([made]);
  });

  test('neither skips nor repeats invitations while others are created and deleted', async () => {
    const made = await inTurn(6, async () => (await inviteWhole(superadmin.browser)).invitation.id);
    made.reverse();
    const seen = await pages('limit=2', async () => {
      await inviteWhole(superadmin.browser);
      await service.database.sql`delete from latchkey.invitations where id = ${`${made[1]}`}`;
    });
    expect(seen).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
  });

  test('has 50 invitations on a page by default', async () => {
    const { invitations } = service.auth.asOperator('ops');
    await inTurn(51, () => invitations.create());
    const { body } = await list();
    expect(body.invitations).toHaveLength(50);
    expect((await list(`?cursor=${body.nextCursor}`)).body).toMatchObject({ nextCursor: null });
    expect((await list(`?limit=51`)).body).toMatchObject({ nextCursor: null });
  });

  test('can be filtered by status, which becomes `expired` exactly at the expiry time', async () => {
    const invitee = await signUp(service);
    const { invitation: accepted, token } = await inviteWhole(superadmin.browser);
    const { invitation: revoked } = await inviteWhole(superadmin.browser);
    const { invitation: expired } = await inviteWhole(superadmin.browser, { expiresInHours: 1 });
    const { invitation: pending } = await inviteWhole(superadmin.browser, { expiresInHours: 2 });
    await accept(invitee.browser, token);
    await revoke(superadmin.browser, revoked);
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
    // Accepted and revoked invitations keep their status after their expiry time.
    await service.turnClock({ minutes: 72 * 60 });
    superadmin = await signUpAs(service, 'superadmin');
    expect(await withStatus('accepted')).toEqual([accepted.id]);
    expect(await withStatus('revoked')).toEqual([revoked.id]);
    expect(await withStatus('expired')).toEqual([pending.id, expired.id]);
  });

  test('contains only invitations with the requested status, on every page', async () => {
    const made = await inTurn(6, async () => (await inviteWhole(superadmin.browser)).invitation);
    const gone = made.filter((_, n) => n % 2 === 0);
    for (const invitation of gone) await revoke(superadmin.browser, invitation);
    const ids = idsIn(gone).reverse();
    expect(await pages('status=revoked&limit=2')).toEqual([ids.slice(0, 2), ids.slice(2)]);
  });

  test('names the creator and the accepting user while their accounts exist', async () => {
    const [creator, invitee] = [await signUpAs(service, 'superadmin'), await signUp(service)];
    await accept(invitee.browser, await invite(creator.browser, { username: invitee.username }));
    const named = ({ username, ...person }: Person) => ({ id: userIdOf(person as Person), username });
    expect((await list()).body.invitations).toMatchObject([
      { createdBy: named(creator), acceptedBy: named(invitee), username: invitee.username },
    ]);
    await deleteUser(superadmin.browser, creator);
    await deleteUser(superadmin.browser, invitee);
    expect((await list()).body.invitations).toMatchObject([
      { createdBy: null, acceptedBy: null, status: 'accepted', username: invitee.username },
    ]);
  });

  test('names no creator if an operator created the invitation', async () => {
    const { invitation } = await service.auth.asOperator('ops').invitations.create();
    expect(invitation.createdBy).toBeNull();
    expect((await list()).body.invitations).toEqual([invitation]);
  });

  const limit = 'expected a number from 1 to 200';
  const status = 'expected "pending", "accepted", "revoked" or "expired"';
  const cursor = 'expected the nextCursor of the previous page';
  test.each([
    ['limit=0', 'limit', limit],
    ['limit=201', 'limit', limit],
    ['limit=-1', 'limit', limit],
    ['limit=1.5', 'limit', limit],
    ['limit=', 'limit', limit],
    ['limit=many', 'limit', limit],
    ['limit=1&limit=2', 'limit', 'expected a single number'],
    ['status=open', 'status', status],
    ['status=', 'status', status],
    ['status=pending&status=revoked', 'status', status],
    ['cursor=', 'cursor', cursor],
    ['cursor=nonsense', 'cursor', cursor],
    [`cursor=${Buffer.from("' or true --").toString('base64url')}`, 'cursor', cursor],
    ['role=superadmin', 'role', 'expected "user" or "admin"'],
    ['creator=me', 'creator', 'this property is unknown'],
  ])('rejects ?%s', async (query, path, message) => {
    const answer = await list(`?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors).toEqual([{ path, message }]);
  });

  test('accepts a cursor whose invitation was deleted', async () => {
    const made = await inTurn(3, async () => (await inviteWhole(superadmin.browser)).invitation.id);
    const { nextCursor } = (await list('?limit=1')).body;
    await service.database.sql`delete from latchkey.invitations where id = ${`${made[2]}`}`;
    expect(idsIn((await list(`?cursor=${nextCursor}`)).body.invitations)).toEqual([made[1], made[0]]);
  });
});
