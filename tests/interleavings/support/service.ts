import { randomBytes } from 'node:crypto';
import { type AuthService, createAuthService, type Database, type Statement, toFetchHandler } from 'latchkey';
import postgres from 'postgres';
import { runtimeOf } from '../../../src/service/auth-service.ts';
import { createAgent, type TestAgent } from '../../support/agent.ts';
import { schedulingPort } from './scheduler.ts';

const origin = 'http://localhost:3000';

/** A service without a server: a request is a call of a function, so no socket decides about the order of events. */
export interface ScheduledService {
  auth: AuthService;
  /** A client of the test. It also runs the statements of requests that belong to no schedule. */
  sql: postgres.Sql;
  /**
   * Starts another instance of the service with the same secret, on a port of its own. It has a clock of its own, too.
   */
  startAnother(database: Database, clock: () => Date): Promise<AuthService>;
  /** The time at which the clocks stand still. */
  now: Date;
  /** Returns a new browser without cookies. */
  browser(): TestAgent;
  /** What the service has logged as an error. After four seconds, this includes requests whose schedule was given up. */
  errors: { fields: object; message: string }[];
  /** From now on, every statement belongs to a schedule. The jobs of the service, such as housekeeping, get errors. */
  seal(): void;
  close(): Promise<void>;
}

/** Starts a service whose clocks stand still, on a migrated database. */
export async function startScheduledService(url: string): Promise<ScheduledService> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  const now = await stopClock(sql);
  const errors: ScheduledService['errors'] = [];
  let isSealed = false;
  const settings = {
    secret: randomBytes(32).toString('hex'),
    env: {},
    rateLimit: false,
    webhooks: { allowedNetworks: ['127.0.0.1'] },
    webhookSender: false,
    auditSequencer: false,
    bcryptCost: 4,
    assistedRecoveryDelaySeconds: 0,
    impersonation: true,
    usernames: { change: 'user' },
    deletedUsernameReleaseDays: 30,
    auditRetentionDays: 365,
    log: {
      info: () => {},
      warn: () => {},
      error: (fields: object, message: string) => void errors.push({ fields, message }),
    },
  } as const;
  const auth = await createAuthService({
    ...settings,
    database: schedulingPort(async ({ text, values }: Statement) => {
      if (isSealed) throw new Error('this statement belongs to no schedule');
      return [...(await sql.unsafe<object[]>(text, values as never[], { prepare: values.length > 0 }))];
    }),
    clock: () => now,
  });
  // Each refusal gets its own audit event. Otherwise, a schedule would depend on the schedules before it.
  runtimeOf(auth, 'startScheduledService').bursts.end();
  const handle = toFetchHandler(auth);
  const byCall = (async (address: string, init: RequestInit) =>
    handle(new Request(address, init))) as typeof fetch;
  return {
    auth,
    sql,
    errors,
    now,
    startAnother: (database, clock) => createAuthService({ ...settings, database, clock }),
    browser: () => createAgent(origin, origin, new Map(), byCall),
    seal: () => {
      isSealed = true;
    },
    close: async () => {
      await auth.close();
      await sql.end({ timeout: 1 });
    },
  };
}

/** Stops the database's clock, so that the rows of two schedules can be equal. @returns its time */
async function stopClock(sql: postgres.Sql): Promise<Date> {
  const [row] = await sql<{ iso: string }[]>`select date_trunc('second', now())::text as iso`;
  await sql.unsafe(`
    create or replace function latchkey.clock() returns timestamptz language sql stable
      as $$ select timestamptz '${row?.iso}' $$`);
  return new Date(`${row?.iso}`);
}
