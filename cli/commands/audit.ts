import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
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

/** How many of the latest events `--follow` reads at the start, to print each event only once. */
const knownLimit = 200;
/** Events that are this much older than the command are not new, even if they get their position only now. */
const oldMs = 3_600_000;

const tail = command({
  flags: {
    follow: { type: 'boolean', shortFlag: 'f', about: 'Keep printing new events until Ctrl-C' },
    limit: { type: 'number', range: [1, 200], about: 'Number of events at the start (default 20)' },
    ...filterFlags,
  },
  async run({ flags, json }) {
    const show = json ? (event: AuditEvent) => print(printableJson(event)) : printEvent;
    return withService(async ({ auth, operator }) => {
      const search = await searchOf(flags, operator);
      // Listens for signals before the first line is printed. A script can send a signal as soon as it reads that line.
      const stop = flags.follow ? untilSignal() : null;
      const limit = flags.limit ?? 20;
      const startedAt = Date.now();
      // Before the list, so that no event is in neither of the two.
      const { cursor: after } = stop
        ? await operator.audit.feed({ after: 'end', limit: 1 })
        : { cursor: null };
      const { events } = await operator.audit.list({ ...search, limit: stop ? knownLimit : limit });
      const shown = events.slice(0, limit).reverse();
      if (json && stop === null) return printJson({ events: shown });
      if (shown.length === 0 && stop === null) return print('No audit events match.');
      shown.forEach(show);
      if (!stop) return undefined;
      // The list can contain events that have no position yet.
      const known = new Set(events.map(({ id }) => id));
      const names = search.event === undefined ? undefined : [search.event];
      for await (const { event } of auth.events({ after, events: names, signal: stop })) {
        const isNew = !known.delete(event.id) && Date.parse(event.at) >= startedAt - oldMs;
        if (isNew && matches(event, search)) show(event);
      }
      return undefined;
    });
  },
});

function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/** Whether an event matches every filter, except that on its name. */
function matches(event: AuditEvent, search: AuditSearch): boolean {
  const { outcome, actorId, impersonatorId, targetId, organizationId, from, to } = search;
  const at = Date.parse(event.at);
  return (
    isOrAny(outcome, event.outcome) &&
    isOrAny(actorId, event.actor.id) &&
    isOrAny(impersonatorId, event.impersonator?.id) &&
    isOrAny(targetId, event.target?.id) &&
    isOrAny(organizationId, event.organizationId) &&
    (from === undefined || at >= from.getTime()) &&
    (to === undefined || at < to.getTime())
  );
}

const isOrAny = (wanted: string | undefined, value: string | null | undefined) =>
  wanted === undefined || wanted === value;

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
