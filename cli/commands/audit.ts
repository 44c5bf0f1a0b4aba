import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type AuditEvent, type AuditSearch, auditEventNames, type OperatorActions } from 'latchkey';
import { commands as logCommands } from '../audit-log/commands.ts';
import { command, type Flags, type Input } from '../command.ts';
import { print, printJson, remark, styled } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { isId, userIdOf } from '../user-id.ts';
import { count } from '../words/count.ts';
import { printable, printableJson } from '../words/printable.ts';

const filterFlags = {
  event: {
    type: 'string',
    value: 'name',
    about: 'An event (passkey.login) or an event prefix (passkey.)',
  },
  outcome: { type: 'string', choices: ['success', 'failure'], about: 'Only events with this outcome' },
  actor: { type: 'string', value: 'username', about: 'Username or ID of the actor' },
  impersonator: {
    type: 'string',
    value: 'username',
    about: 'Username or ID of the superadmin who acted as another user',
  },
  target: { type: 'string', value: 'username', about: 'ID of the target, or username of the target user' },
  organization: { type: 'string', value: 'id', about: 'Only events in this organization' },
  from: { type: 'string', value: 'time', about: 'Only events since this time, such as 2026-11-21T05:00:00Z' },
  to: { type: 'string', value: 'time', about: 'Only events before this time' },
} as const satisfies Flags;

type Filters = Input<typeof filterFlags>['flags'];

async function searchOf(flags: Filters, operator: OperatorActions): Promise<AuditSearch> {
  const idOf = async (text: string | undefined) =>
    text === undefined ? undefined : userIdOf(operator, text);
  return {
    event: eventOf(flags.event),
    outcome: flags.outcome,
    actorId: await idOf(flags.actor),
    impersonatorId: await idOf(flags.impersonator),
    targetId: await idOf(flags.target),
    organizationId: organizationOf(flags.organization),
    from: timeOf(flags, 'from'),
    to: timeOf(flags, 'to'),
  };
}

function eventOf(text: string | undefined): AuditSearch['event'] {
  const isKnown = auditEventNames.some(
    (name) => name === text || (text?.endsWith('.') && name.startsWith(text)),
  );
  if (text !== undefined && !isKnown)
    throw new UsageError(
      `--event: expected an event (passkey.login) or an event prefix (passkey.), not "${text}".`,
    );
  return text as AuditSearch['event'];
}

function organizationOf(id: string | undefined): string | undefined {
  if (id === undefined || isId(id)) return id?.toLowerCase();
  throw new UsageError(`--organization: expected the ID of an organization, not "${id}".`);
}

function timeOf(flags: Filters, flag: 'from' | 'to'): Date | undefined {
  const text = flags[flag];
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (time.getTime() >= 0) return time;
  throw new UsageError(`--${flag}: expected a time such as 2026-11-21T05:00:00Z, not "${text}".`);
}

const pollMs = 1000;
const pollLimit = 200;

const tail = command({
  flags: {
    follow: { type: 'boolean', shortFlag: 'f', about: 'Keep printing new events until Ctrl-C' },
    limit: { type: 'number', range: [1, 200], about: 'Number of events at the start (default 20)' },
    ...filterFlags,
  },
  async run({ flags, json }) {
    const show = json ? (event: AuditEvent) => print(printableJson(event)) : printEvent;
    return withService(async ({ operator }) => {
      const search = await searchOf(flags, operator);
      // Listens for signals before the first line is printed. A script can send a signal as soon as it reads that line.
      const stop = flags.follow ? untilSignal() : null;
      const limit = flags.limit ?? 20;
      // Every poll reads the newest `pollLimit` events. It prints each event that was not in the last response. So the
      // first request must also read `pollLimit` events, even if only `limit` of them are printed. Otherwise, the first
      // poll would print older events as new.
      const { events } = await operator.audit.list({ ...search, limit: stop ? pollLimit : limit });
      const shown = events.slice(0, limit).reverse();
      if (json && stop === null) return printJson({ events: shown });
      if (shown.length === 0 && stop === null) return print('No audit events match.');
      shown.forEach(show);
      if (stop) await follow(operator, search, { seen: new Set(events.map(({ id }) => id)), show, stop });
      return undefined;
    });
  },
});

function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

interface Following {
  /**
   * The IDs of the events in the last response, printed or not. Times cannot identify events, because several events
   * can have the same time.
   */
  seen: Set<string>;
  show(event: AuditEvent): unknown;
  stop: AbortSignal;
}

/** Prints new events until a signal arrives. */
async function follow(
  operator: OperatorActions,
  search: AuditSearch,
  { seen, show, stop }: Following,
): Promise<void> {
  while (!stop.aborted) {
    await wait(pollMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    const { events } = await operator.audit.list({ ...search, limit: pollLimit });
    for (const event of events.filter(({ id }) => !seen.has(id)).reverse()) show(event);
    // The next response can contain only new events and events of this response. So `seen` does not need older events.
    seen.clear();
    for (const { id } of events) seen.add(id);
  }
}

function printEvent(audited: AuditEvent): void {
  const { at, event, outcome, actor, impersonator, target, ip, details, count: times } = audited;
  const by = impersonator === null ? '' : ` (impersonated by ${impersonator.name})`;
  const actorName = `${actor.name ?? actor.type}${by}`;
  const arrow = target === null ? '' : ` → ${target.name ?? target.id ?? target.type}`;
  const detailList = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  const line = [
    at.replace('T', ' ').replace('Z', ''),
    outcome === 'success' ? styled('green', 'ok    ') : styled('red', 'failed'),
    event.padEnd(24),
    ...[
      `${actorName}${arrow}`,
      ...(ip === null ? [] : [ip]),
      ...(times === 1 ? [] : [`${times} times`]),
      ...detailList,
    ].map(printable),
  ];
  print(line.join('  '));
}

const exportLog = command({
  flags: {
    output: { type: 'string', value: 'file', about: 'A file to create (default: standard output)' },
    ...filterFlags,
  },
  async run({ flags }) {
    const file = flags.output;
    let written = 0;
    async function* lines(batches: AsyncIterable<AuditEvent[]>) {
      for await (const events of batches) {
        yield events.map((event) => `${printableJson(event)}\n`).join('');
        written += events.length;
      }
    }
    await withService(async ({ operator }) => {
      const batches = await operator.audit.export(await searchOf(flags, operator));
      if (file === undefined) return pipeline(lines(batches), process.stdout, { end: false });
      const handle = await open(file, 'wx', 0o600);
      return pipeline(lines(batches), handle.createWriteStream());
    });
    return file === undefined ? undefined : remark(`Wrote ${count(written, 'event')} to ${file}.`);
  },
});

export const commands = { tail, export: exportLog, ...logCommands };
