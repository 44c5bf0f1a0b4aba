import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AuditEvent, checkAuditProof } from 'latchkey';
import { createAuthClient } from 'latchkey/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { signUpAs } from './support/authority.ts';
import { lastCursor } from './support/feed.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const examplesIn = (file: string) =>
  [...readFileSync(join(docs, file), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code);

const [iterator = '', endpoint = '', history = '', ...others] = examplesIn('audit-feed.md');

/** Runs the code of a guide. `values` contains what the guide does not define. */
function runExample(code: string, values: Record<string, unknown>): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...given: unknown[]) => Promise<void>;
  return new AsyncFunction(...Object.keys(values), code)(...Object.values(values));
}

/** Ends an example that never ends. */
const enough = new Error('the test has seen enough');
const endOf = (running: Promise<void>) => expect(running).rejects.toBe(enough);

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

test('the guide of the feed has three examples, and each has a test', () => {
  expect([iterator, endpoint, history].every((code) => code.includes('cursor'))).toBe(true);
  expect(others).toEqual([]);
});

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
  await endOf(runExample(iterator, values));
  await users().enable(ada.username);
  await users().disable(ada.username);
  await endOf(runExample(iterator, values));
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
  await endOf(runExample(endpoint, { client: { audit: { feed } }, show }));
  expect(shown.map(({ event }) => event)).toEqual(['user.enable', 'user.disable']);
});

test('the example that reads the history first receives each event once', async () => {
  const earlier: AuditEvent[] = [];
  const later: AuditEvent[] = [];
  await endOf(
    runExample(history, {
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

test('the functions in the guide of the log prove an event, check the proof, and verify the log', async () => {
  const guide = readFileSync(join(docs, 'guides/audit-log.md'), 'utf8');
  const [, inCode = ''] = /In code: ([\s\S]*?)\n\n/.exec(guide) ?? [];
  const names = [...inCode.matchAll(/(\w+)\(/g)].map(([, name]) => name);
  expect(names).toEqual(['asOperator', 'verify', 'prove', 'checkpoint', 'startNewLog', 'checkAuditProof']);
  const [, eventId = ''] = (await lastCursor(service)).split(':');
  const { audit } = service.auth.asOperator('ops');
  const proof = await audit.prove(eventId);
  const {
    keys: [key = ''],
  } = await audit.checkpoint();
  expect(checkAuditProof(`${proof}`, [key])).toMatchObject({ event: { id: eventId } });
  expect((await audit.verify()).problems).toEqual([]);
  await audit.startNewLog({ reason: 'restored a backup' });
  expect((await service.auditRows()).at(-1)).toMatchObject({ event: 'audit.new_log' });
});
