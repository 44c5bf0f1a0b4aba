import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type AuditEvent, type AuditSearch, auditEventNames, type OperatorActions } from 'latchkey';
import { type Command, type Given, hasFlag, numberFlag, textFlag } from '../command.ts';
import { print, printJson, remark, styled } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
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
    const show = given.json ? (event: AuditEvent) => print(JSON.stringify(event)) : printEvent;
    await withService(async ({ operator }) => {
      const search = await searchOf(given, operator);
      const { items } = await operator.audit.list({ ...search, limit });
      if (given.json && !hasFlag(given, 'follow')) return printJson({ events: items.reverse() });
      items.reverse().forEach(show);
      if (hasFlag(given, 'follow')) await follow(operator, search, new Set(items.map(({ id }) => id)), show);
    });
    return undefined;
  },
};

/** Shows what is new until a signal comes. What was seen is known by id: two events may share their time. */
async function follow(
  operator: OperatorActions,
  search: AuditSearch,
  seen: Set<string>,
  show: (event: AuditEvent) => void,
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  process.stdout.once('error', end);
  while (!stop.signal.aborted) {
    await wait(pollMs, undefined, { signal: stop.signal }).catch(() => {});
    if (stop.signal.aborted) return;
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
    `${who}${whom}`,
    ...(ip === null ? [] : [ip]),
    ...told,
  ];
  print(line.join('  '));
}

export const exportLog: Command = {
  usage: '[--output <file>] [filters]',
  options: [['--output <file>', 'Where to; standard output by default'], ...filterOptions],
  flags: { ...filterFlags, output: { type: 'string' } },
  async run(given) {
    const file = textFlag(given, 'output');
    const stream =
      file === undefined ? process.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 });
    const failed = new Promise<never>((_, reject) => stream.once('error', reject));
    let written = 0;
    const write = withService(async ({ operator }) => {
      for await (const events of await operator.audit.export(await searchOf(given, operator))) {
        const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
        if (!stream.write(text)) await once(stream, 'drain');
        written += events.length;
      }
    });
    await Promise.race([write, failed]);
    if (stream !== process.stdout) {
      stream.end();
      await once(stream, 'finish');
      remark(`Wrote ${written} events to ${file}.`);
    }
    return undefined;
  },
};
