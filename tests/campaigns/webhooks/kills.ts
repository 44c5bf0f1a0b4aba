import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuthService } from 'latchkey';
import type postgres from 'postgres';
import { Webhook as Verifier } from 'standardwebhooks';

export interface KillOptions {
  /** A service that records events and gives them positions. It does not send. */
  auth: AuthService;
  sql: postgres.Sql;
  databaseUrl: string;
  secret: string;
  /** The bundled `service-program.ts`. */
  script: string;
  /** Environment variables for the process that sends, in addition to those of this process. */
  env?: Record<string, string>;
  kills: number;
  /** Returns a number from 0 to 1. */
  random(): number;
  onKill?(count: number): void;
}

export interface KillReport {
  events: number;
  requests: number;
  /** The ids of events that the receiver never got. */
  missing: string[];
  /** The ids of events that came after a later event, without having come before. */
  outOfOrder: string[];
  invalidSignatures: number;
}

const eventsPerKill = 8;

/**
 * Kills the process that sends events, again and again, and starts another one. Each kill comes after a random request of
 * the receiver, at a random time before or after its response.
 */
export async function sendThroughKills(options: KillOptions): Promise<KillReport> {
  const { auth, sql, kills, random, onKill } = options;
  const operator = auth.asOperator('campaign');
  const bodies: string[] = [];
  let invalidSignatures = 0;
  let verifier: Verifier | undefined;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    try {
      verifier?.verify(body, request.headers as Record<string, string>);
    } catch {
      invalidSignatures += 1;
    }
    bodies.push(body);
    await pause(random() * 5);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { secret } = await operator.webhooks.create({
    name: 'campaign',
    url: `http://127.0.0.1:${port}/`,
    events: ['user.'],
  });
  verifier = new Verifier(secret);

  const expected = async () =>
    sql<{ id: string }[]>`
      select audit_events.id from latchkey.audit_entries join latchkey.audit_events on audit_events.id = event_id
      where event like 'user.%' order by position`;
  for (let count = 1; count <= kills; count += 1) {
    for (let made = 0; made < eventsPerKill; made += 1)
      await operator.users.create({ username: `user-${count}-${made}` });
    const sender = await startSender(options);
    const until = bodies.length + 1 + Math.floor(random() * (eventsPerKill - 1));
    while (bodies.length < until) await pause(1);
    await pause(random() * 8);
    sender.kill('SIGKILL');
    await once(sender, 'exit');
    // The next process does not wait until the lease of the killed one expires.
    await sql`update latchkey.webhooks set held_until = latchkey.clock()`;
    onKill?.(count);
  }
  const sender = await startSender(options);
  const isMissing = async () => {
    const delivered = new Set(bodies.map((body) => JSON.parse(body).id));
    return (await expected()).some(({ id }) => !delivered.has(id));
  };
  while ((await waiting(sql)) || (await isMissing())) await pause(200);
  sender.kill('SIGKILL');
  server.closeAllConnections();
  server.close();

  const ids = (await expected()).map(({ id }) => id);
  const got = bodies.map((body) => JSON.parse(body) as { id: string; sequence: string });
  return {
    events: ids.length,
    requests: got.length,
    missing: ids.filter((id) => !got.some((one) => one.id === id)),
    outOfOrder: got
      .filter(({ sequence }, at) => sequence < (got[at - 1]?.sequence ?? ''))
      .map(({ id }) => id),
    invalidSignatures,
  };
}

/** Whether an event of a created user has no position yet. */
async function waiting(sql: postgres.Sql): Promise<boolean> {
  const rows = await sql`
    select audit_events.id from latchkey.audit_events
    where event like 'user.%'
      and not exists (select from latchkey.audit_entries where audit_entries.event_id = audit_events.id)`;
  return rows.length > 0;
}

async function startSender({ script, databaseUrl, secret, env }: KillOptions): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, databaseUrl, secret], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}
