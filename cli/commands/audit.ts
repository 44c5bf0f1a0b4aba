import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type AuditEvent, type AuditSearch, auditEventNames, type OperatorActions } from 'latchkey';
import { type Command, type Given, hasFlag, numberFlag, textFlag } from '../command.ts';
import { print, printJson, remark, styled } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { printable, printableJson } from '../words/printable.ts';
import { choice } from './pages.ts';

const filterFlags = {
  event: { type: 'string' },
  outcome: { type: 'string' },
  actor: { type: 'string' },
  target: { type: 'string' },
  organization: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

const filterOptions = [
  ['--event <name>', 'An event, or a noun with its dot: passkey.'],
  ['--outcome <outcome>', 'success, failure'],
  ['--actor <username>', 'Who did it; an id will do, too'],
  ['--target <username>', 'To whom it was done; an id of anything will do, too'],
  ['--organization <id>', 'Where it happened'],
  ['--from <time>, --to <time>', 'RFC 3339; from is included, to is not'],
] as const;

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;

async function searchOf(given: Given, operator: OperatorActions): Promise<AuditSearch> {
  const idOf = async (flag: string) => {
    const text = textFlag(given, flag);
    return text === undefined || uuid.test(text) ? text : (await operator.users.find(text)).id;
  };
  return {
    event: eventOf(given),
    outcome: choice(given, 'outcome', ['success', 'failure']),
    actorId: await idOf('actor'),
    targetId: await idOf('target'),
    organizationId: organizationOf(given),
    from: timeOf(given, 'from'),
    to: timeOf(given, 'to'),
  };
}

function eventOf(given: Given): AuditSearch['event'] {
  const text = textFlag(given, 'event');
  if (text === undefined) return undefined;
  const isKnown = auditEventNames.some(
    (name) => name === text || (text.endsWith('.') && name.startsWith(text)),
  );
  if (!isKnown) throw new UsageError(`--event: there is no event \`${text}\`; one is \`passkey.login\`.`);
  return text as AuditSearch['event'];
}

function organizationOf(given: Given): string | undefined {
  const id = textFlag(given, 'organization');
  if (id !== undefined && !uuid.test(id)) throw new UsageError('--organization: expected an id.');
  return id;
}

function timeOf(given: Given, flag: string): Date | undefined {
  const text = textFlag(given, flag);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!(time.getTime() >= 0))
    throw new UsageError(`--${flag}: expected a time such as 2026-11-21T05:00:00Z.`);
  return time;
}

const pollMs = 1000;

export const tail: Command = {
  usage: '[--follow] [--limit <n>] [filters]',
  options: [
    ['--follow, -f', 'Go on as things happen; Ctrl-C ends it'],
    ['--limit <n>', 'How many to begin with, 1 to 200; 20 by default'],
    ...filterOptions,
  ],
  flags: { ...filterFlags, follow: { type: 'boolean', shortFlag: 'f' }, limit: { type: 'number' } },
  async run(given) {
    const limit = numberFlag(given, 'limit') ?? 20;
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= 200))
      throw new UsageError('--limit: expected a number from 1 to 200.');
    const show = given.json ? (event: AuditEvent) => print(printableJson(event)) : printEvent;
    await withService(async ({ operator }) => {
      const search = await searchOf(given, operator);
      // From before the first line on, so that no signal finds us unprepared.
      const stop = hasFlag(given, 'follow') ? untilSignal() : null;
      const { items } = await operator.audit.list({ ...search, limit });
      if (given.json && stop === null) return printJson({ events: items.reverse() });
      if (items.length === 0 && stop === null) print('No events.');
      items.reverse().forEach(show);
      if (stop) await follow(operator, search, { seen: new Set(items.map(({ id }) => id)), show, stop });
    });
    return undefined;
  },
};

function untilSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

interface Following {
  /** What was shown, by id: two events may share their time. */
  seen: Set<string>;
  show(event: AuditEvent): void;
  stop: AbortSignal;
}

/** Shows what is new until a signal comes. */
async function follow(
  operator: OperatorActions,
  search: AuditSearch,
  { seen, show, stop }: Following,
): Promise<void> {
  while (!stop.aborted) {
    await wait(pollMs, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    const { items } = await operator.audit.list({ ...search, limit: 200 });
    for (const event of items.filter(({ id }) => !seen.has(id)).reverse()) show(event);
    // Only what the next look can see again need be remembered.
    seen.clear();
    for (const { id } of items) seen.add(id);
  }
}

function printEvent({ at, event, outcome, actor, target, ip, details }: AuditEvent): void {
  const who = actor.name ?? actor.type;
  const whom = target === null ? '' : ` → ${target.name ?? target.id ?? target.type}`;
  const told = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  const line = [
    at.replace('T', ' ').replace('Z', ''),
    outcome === 'success' ? styled('green', 'ok    ') : styled('red', 'failed'),
    event.padEnd(24),
    ...[`${who}${whom}`, ...(ip === null ? [] : [ip]), ...told].map(printable),
  ];
  print(line.join('  '));
}

export const exportLog: Command = {
  usage: '[--output <file>] [filters]',
  options: [['--output <file>', 'Where to, a new file; standard output by default'], ...filterOptions],
  flags: { ...filterFlags, output: { type: 'string' } },
  async run(given) {
    const file = textFlag(given, 'output');
    let written = 0;
    async function* lines(batches: AsyncIterable<AuditEvent[]>) {
      for await (const events of batches) {
        yield events.map((event) => `${printableJson(event)}\n`).join('');
        written += events.length;
      }
    }
    await withService(async ({ operator }) => {
      const batches = await operator.audit.export(await searchOf(given, operator));
      if (file === undefined) return pipeline(lines(batches), process.stdout, { end: false });
      const handle = await open(file, 'wx', 0o600);
      return pipeline(lines(batches), handle.createWriteStream());
    });
    if (file !== undefined) remark(`Wrote ${written} events to ${file}.`);
    return undefined;
  },
};
