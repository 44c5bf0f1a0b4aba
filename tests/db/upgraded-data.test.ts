import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeRole, disable, enable } from '../features/support/authority.ts';
import { isSignedIn } from '../features/support/current-session.ts';
import { logIn } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { authenticatorOf, dumpedAt, tokenOf, userIdOf } from './support/dumped-users.ts';
import { contentsOf, dumpedVersions, restoreDump } from './support/restored-database.ts';

type Row = Record<string, unknown>;
type Rows = ReadonlyMap<string, readonly Row[]>;

/** The rows that are gone, or that have another value in a column that still exists. */
function changedBetween(before: Rows, after: Rows): { table: string; row: Row }[] {
  const textOf = (row: Row, columns: readonly string[]) =>
    JSON.stringify(columns.map((column) => [column, row[column]]));
  return [...before].flatMap(([table, rows]) => {
    const now = after.get(table) ?? [];
    const columns = Object.keys(rows[0] ?? {}).filter((column) => column in (now[0] ?? {}));
    const kept = new Set(now.map((row) => textOf(row, columns)));
    return rows.filter((row) => !kept.has(textOf(row, columns))).map((row) => ({ table, row }));
  });
}

/** Migration 7 cancels the recoveries that had begun. */
const isRecovery = ({ table, row }: { table: string; row: Row }) =>
  table.startsWith('recovery_') || row.kind === 'recovery';

describe.each(dumpedVersions)('after the upgrade of a database of version %i,', (version) => {
  let database: TestDatabase;
  let service: ServiceOn;
  let before: Rows;
  beforeAll(async () => {
    database = await restoreDump(version);
    before = (await contentsOf(database)).rows as Rows;
    service = await startServiceOn(database.url, {
      migrate: true,
      clock: () => new Date(dumpedAt),
      bcryptCost: 4,
    });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const operator = () => service.auth.asOperator('ops');
  const person = (username: Parameters<typeof userIdOf>[0]) => ({
    signedUp: { body: { user: { id: userIdOf(username) } } } as never,
  });
  const asRosa = async () => {
    const browser = service.browser();
    const { status } = await logIn(browser, await authenticatorOf('rosa'), { username: 'rosa' });
    if (status !== 200) throw new Error(`signing in returned ${status}`);
    return browser;
  };

  test(`every row${version < 7 ? ', except those of recoveries,' : ''} has the same values`, async () => {
    const changed = changedBetween(before, (await contentsOf(database)).rows as Rows);
    expect(changed.filter((change) => version >= 7 || !isRecovery(change))).toEqual([]);
  });

  test('the audit log contains the old events, and `verify` finds a changed old event', async () => {
    const old = before.get('audit_events')?.length ?? 0;
    await sequence(database.sql);
    const [counted] = await database.sql`
      select count(*)::int as events from latchkey.audit_entries
      join latchkey.audit_events on audit_events.id = audit_entries.event_id`;
    expect(counted?.events).toBeGreaterThanOrEqual(old);
    expect(await operator().audit.verify()).toMatchObject({ ok: true, problems: [] });

    const [first] = await database.sql`
      select id, outcome from latchkey.audit_events where event = 'account.signup' limit 1`;
    const write = async (outcome: string) => {
      await database.sql`alter table latchkey.audit_events disable trigger user`;
      await database.sql`update latchkey.audit_events set outcome = ${outcome} where id = ${first?.id}`;
      await database.sql`alter table latchkey.audit_events enable trigger user`;
    };
    await write(first?.outcome === 'success' ? 'failure' : 'success');
    expect(await operator().audit.verify()).toMatchObject({ ok: false });
    await write(first?.outcome);
    expect(await operator().audit.verify()).toMatchObject({ ok: true });
  });

  test('a superadmin changes the role of a user, and disabling the user ends the sessions', async () => {
    const browser = await asRosa();
    expect((await changeRole(browser, person('ben'), 'admin')).body.user).toMatchObject({ role: 'admin' });
    const session = service.browser(new Map([['latchkey', tokenOf('the live session')]]));
    expect((await disable(browser, person('ben'))).status).toBe(200);
    expect(await isSignedIn(session)).toBe(false);
    expect((await enable(browser, person('ben'))).status).toBe(200);
    expect(await isSignedIn(session)).toBe(false);
  });

  test('the only superadmin can neither be demoted nor disabled', async () => {
    const browser = await asRosa();
    expect((await changeRole(browser, person('rosa'), 'user')).body.code).toBe('last_superadmin');
    expect((await disable(browser, person('rosa'))).body.code).toBe('last_superadmin');
  });

  if (version >= 3) {
    test('an operator erases a user who was deleted before, and the audit log still matches', async () => {
      const { pseudonym } = await operator().users.erase(userIdOf('dora'));
      expect(pseudonym).toMatch(/^erased:[0-9a-f]{16}$/);
      await sequence(database.sql);
      expect(await operator().audit.verify()).toMatchObject({ ok: true, problems: [] });
    });
  }
});
