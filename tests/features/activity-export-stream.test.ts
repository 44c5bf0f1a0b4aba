import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { holdTimeouts } from '../support/held-timeouts.ts';
import type { Person } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { statementLimit } from '../support/statement-limit.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { exportAudit, exportPath, insertManyEvents, linesOf, readsBatch } from './support/activity.ts';
import { signUpAs } from './support/authority.ts';

// 36 MB, in batches of 3 MB. The buffers between the server and the client cannot hold that much.
const rows = 12_000;
const bytes = 3000;
const batches = 13;

let service: TestService;
let superadmin: Person;
let responses: ServerResponse[];
beforeAll(async () => {
  responses = [];
  service = await startTestService({}, (app) => {
    app.use((ctx, next) => {
      responses.push(ctx.res);
      return next();
    });
  });
  superadmin = await signUpAs(service, 'superadmin');
  await insertManyEvents(service, rows, { at: `timestamptz '2001-01-01Z'`, bytes });
});
afterAll(() => service.close());

/** Requests an export and returns the response before any of its body is read. */
async function openExport(url: string, query = ''): Promise<IncomingMessage> {
  const cookie = [...superadmin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const outgoing = request(`${url}${exportPath}${query}`, { agent: false, headers: { Cookie: cookie } });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  return incoming;
}

const countBatches = () => service.statements.filter((statement) => readsBatch.test(statement)).length;

/** Runs a whole export. Returns how many batches were read meanwhile, including the batches of other exports. */
async function exportQuickly(): Promise<number> {
  const before = countBatches();
  await (await openExport(service.url)).resume().toArray();
  return countBatches() - before;
}

describe('an export', () => {
  test('pauses while the client does not read, and completes when the client reads again', async () => {
    service.statements.length = 0;
    const slow = await openExport(service.url);
    // A second export starts later, and completes while the first export waits.
    await (await openExport(service.url)).resume().toArray();
    const ofBoth = countBatches();
    expect(ofBoth).toBeGreaterThan(batches);
    expect(ofBoth - batches).toBeLessThan(batches / 2);
    const events = linesOf(await text(slow));
    expect(countBatches()).toBe(2 * batches);
    expect(events.filter(({ userAgent }) => userAgent?.startsWith('seeded'))).toHaveLength(rows);
    expect(events.at(-1)?.event).toBe('audit.export');
  });

  test('stops reading the log when the client disconnects', async () => {
    service.statements.length = 0;
    const leaving = await openExport(service.url);
    await once(leaving, 'readable');
    const response = responses.at(-1);
    leaving.destroy();
    await eventually(() => response?.closed === true);
    const read = countBatches();
    expect(read).toBeLessThan(batches / 2);
    expect(await exportQuickly()).toBe(batches);
    expect(countBatches()).toBe(read + batches);
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('reads no further batch after the client disconnects during a batch', async () => {
    let leave = () => {};
    let read = 0;
    const instance = await startSecondInstance(service, {}, (statement) => {
      if (!readsBatch.test(statement)) return;
      read += 1;
      if (read === 3) leave();
    });
    try {
      const incoming = await openExport(instance.url);
      leave = () => incoming.destroy();
      incoming.on('error', () => {});
      incoming.resume();
      await once(incoming, 'close');
      // The second export reads one batch. Meanwhile, the first export would read another batch if it had not stopped.
      await exportAudit(instance.browser(superadmin.browser.cookies), { event: 'account.' });
      expect(read).toBe(3 + 1);
    } finally {
      await instance.close();
    }
  });
});

describe('database failures:', () => {
  const timeouts = holdTimeouts(4000);
  const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  /** Runs an export, and calls `act` before its nth batch. Returns what the client received. */
  async function exportDuring(nth: number, act: () => unknown, query = '') {
    let read = 0;
    const instance = await startSecondInstance(service, {}, (statement) =>
      readsBatch.test(statement) && ++read === nth ? act() : undefined,
    );
    const emitted: unknown[] = [];
    instance.app.on('error', (error) => emitted.push(error));
    try {
      return { instance, read: () => read, emitted, ...(await outcomeOf(instance, query)) };
    } finally {
      await instance.close();
    }
  }

  async function outcomeOf({ url, browser }: ServiceOn, query: string) {
    const incoming = await openExport(url, query);
    const pieces: Buffer[] = [];
    incoming.on('data', (piece) => pieces.push(piece));
    const error = await once(incoming, 'close').then(
      () => null,
      (fault) => fault,
    );
    const next = await browser(superadmin.browser.cookies).get('/auth/session');
    return { incoming, error, received: `${Buffer.concat(pieces)}`, next: next.status };
  }

  test.each([
    ['a lost connection', refused],
    ['a failing statement', () => new Error('relation does not exist')],
  ])(
    '%s during an export aborts the response, so the client sees that the response is incomplete',
    async (_, fault) => {
      const { incoming, error, received, read, emitted, next } = await exportDuring(3, () => {
        throw fault();
      });
      expect(incoming.statusCode).toBe(200);
      expect(incoming.complete).toBe(false);
      expect(error).toMatchObject({ code: 'ECONNRESET' });
      expect(received).not.toContain('audit.export');
      expect(read()).toBe(3);
      expect(emitted).toHaveLength(1);
      expect(next).toBe(200);
    },
  );

  test('a hanging statement during an export aborts the response after the time limit', async () => {
    statementLimit.enforced = true;
    try {
      let hangs = false;
      const exporting = exportDuring(2, () => {
        hangs = true;
        return new Promise(() => {});
      });
      await eventually(() => hangs);
      timeouts.expire(4000);
      const { incoming, next } = await exporting;
      expect([incoming.complete, next]).toEqual([false, 200]);
    } finally {
      statementLimit.enforced = false;
    }
  });

  test('a lost connection before the first batch causes a 503, an incomplete response or no response', async () => {
    const broken = exportDuring(1, () => {
      throw refused();
    }).then(
      ({ incoming }) => [incoming.statusCode, incoming.complete],
      (error) => error.code,
    );
    expect([[503, true], [200, false], 'ECONNRESET']).toContainEqual(await broken);
  });
});
