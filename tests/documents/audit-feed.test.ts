import type { AuditEvent } from 'latchkey';
import { createAuthClient } from 'latchkey/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUpAs } from '../features/support/authority.ts';
import { lastCursor } from '../features/support/feed.ts';
import { type Person, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/audit-feed.md');

/** Ends an example that never ends. */
const enough = new Error('the test has seen enough');
const endOf = (running: Promise<unknown>) => expect(running).rejects.toBe(enough);

let service: TestService;
let superadmin: Person;
let ada: Person;
beforeAll(async () => {
  service = await startTestService({ auditSequencer: true });
  superadmin = await signUpAs(service, 'superadmin');
  ada = await signUp(service);
});
afterAll(() => service.close());

const users = () => service.auth.asOperator('ops').users;
const client = () =>
  createAuthClient({
    baseUrl: `${service.url}/auth`,
    fetch: (url, init) => {
      const cookie = [...superadmin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      return fetch(url, { ...init, headers: { ...init?.headers, cookie } });
    },
  });

const iterator = guide.block('auth.events');

test('the example of the iterator receives the matching events, and continues after a restart', async () => {
  await users().disable(ada.username);
  await lastCursor(service);
  const sent: string[] = [];
  let stored: string | null = null;
  const values = {
    auth: service.auth,
    readCursor: async () => stored,
    sendToSiem: async ({ event }: AuditEvent) => {
      sent.push(event);
    },
    storeCursor: async (cursor: string) => {
      stored = cursor;
      if (sent.at(-1) === 'user.disable') throw enough;
    },
  };
  await endOf(runStatements(iterator, values));
  await users().enable(ada.username);
  await users().disable(ada.username);
  await endOf(runStatements(iterator, values));
  expect(sent).toEqual(['account.signup', 'account.signup', 'user.disable', 'user.disable']);
});

test('the example of the endpoint receives only later events', async () => {
  const { audit } = client();
  const feed = async (request: { after?: string }) => {
    const page = await audit.feed(request);
    if (request.after === 'end')
      void users()
        .enable(ada.username)
        .then(() => users().disable(ada.username));
    return page;
  };
  const shown: AuditEvent[] = [];
  const show = (event: AuditEvent) => {
    shown.push(event);
    if (shown.length === 2) throw enough;
  };
  await lastCursor(service);
  await endOf(runStatements(guide.block('show(event)'), { client: { audit: { feed } }, show }));
  expect(shown.map(({ event }) => event)).toEqual(['user.enable', 'user.disable']);
});

test('the example that reads the history first receives each event once', async () => {
  const earlier: AuditEvent[] = [];
  const later: AuditEvent[] = [];
  await endOf(
    runStatements(guide.block('prepend'), {
      client: client(),
      prepend: (event: AuditEvent) => {
        // Changes during the history.
        if (earlier.length === 0) void users().enable(ada.username);
        earlier.unshift(event);
      },
      append: (event: AuditEvent) => {
        later.push(event);
        if (event.event === 'user.enable') throw enough;
      },
    }),
  );
  const got = [...earlier, ...later].map(({ id }) => id);
  const rows = await service.database.sql<{ id: string }[]>`
    select id from latchkey.audit_events where event like 'user.%' order by at, id`;
  expect(got).toEqual(rows.map(({ id }) => id));
});
