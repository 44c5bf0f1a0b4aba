import type { Webhook, WebhookTest } from 'latchkey';
import { command } from '../command.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, table, utcTime } from '../output.ts';
import { withService } from '../service.ts';

/** The events in a flag. TypeScript cannot check them, so the service does. */
type EventFilter = Parameters<
  Parameters<Parameters<typeof withService>[0]>[0]['operator']['webhooks']['create']
>[0]['events'];

const eventsOf = (text: string): EventFilter =>
  text === 'all' ? null : (text.split(',').map((name) => name.trim()) as unknown as EventFilter);

const afterFlag = (about: string) => ({ after: { type: 'string', value: 'place', about } }) as const;

const list = command({
  async run({ json }) {
    const webhooks = await withService(({ operator }) => operator.webhooks.list());
    if (json) return printJson({ webhooks });
    if (webhooks.length === 0)
      return print('No webhooks. Create one with `latchkey webhooks create <name> <url>`.');
    const rows = webhooks.map((webhook) => [
      webhook.name,
      stateOf(webhook),
      webhook.url,
      webhook.events?.join(',') ?? 'all',
      utcTime(webhook.lastAttempt?.at ?? null),
      webhook.lastAttempt === null ? '–' : resultOf(webhook.lastAttempt),
      utcTime(webhook.failingSince),
    ]);
    const heads = ['NAME', 'STATE', 'URL', 'EVENTS', 'LAST ATTEMPT (UTC)', 'RESULT', 'FAILING SINCE (UTC)'];
    return print(table(heads, rows));
  },
});

const stateOf = ({ state, reason }: Webhook): string => (reason === null ? state : `${state}: ${reason}`);

const resultOf = ({ fault, status }: Pick<WebhookTest, 'fault' | 'status'>): string =>
  [fault ?? 'accepted', status].filter((part) => part !== null).join(' ');

const create = command({
  args: '<name> <url>',
  flags: {
    events: {
      type: 'string',
      value: 'names',
      about: 'Names of events, or prefixes such as passkey., separated by commas (default all)',
    },
    ...afterFlag('end: only new events; start: all events; or a cursor (default end)'),
  },
  async run({ args: [name = '', url = ''], flags: { events = 'all', after }, json }) {
    const created = await withService(({ operator }) =>
      operator.webhooks.create({ name, url, events: eventsOf(events), after }),
    );
    return json ? printJson(created) : printSecret(created.webhook, created.secret);
  },
});

function printSecret({ name, url, events }: Webhook, secret: string): undefined {
  print(
    facts([
      ['Name', name],
      ['URL', url],
      ['Events', events?.join(', ') ?? 'all'],
      ['Secret', secret],
    ]),
  );
  return remark('', 'The secret is shown only once. The receiver verifies signatures with it.');
}

const update = command({
  args: '<name>',
  flags: {
    url: { type: 'string', value: 'url', about: 'The new URL' },
    events: {
      type: 'string',
      value: 'names',
      about: 'Names of events, or prefixes such as passkey., separated by commas; all: all events',
    },
  },
  async run({ args: [name = ''], flags: { url, events }, json }) {
    const change = { url, ...(events !== undefined && { events: eventsOf(events) }) };
    const webhook = await withService(({ operator }) => operator.webhooks.update(name, change));
    return json ? printJson({ webhook }) : print(`Updated the webhook ${webhook.name}.`);
  },
});

const rotateSecret = command({
  args: '<name>',
  flags: yesFlag,
  note: 'For 24 hours, requests also have a signature with the earlier secret.',
  async run(input) {
    const [name = ''] = input.args;
    if (!(await confirmed(input, `Replace the secret of the webhook ${name}?`, 'webhooks')))
      return exitCodes.stopped;
    const rotated = await withService(({ operator }) => operator.webhooks.rotateSecret(name));
    return input.json ? printJson(rotated) : printSecret(rotated.webhook, rotated.secret);
  },
});

const pause = command({
  args: '<name>',
  async run({ args: [name = ''], json }) {
    const webhook = await withService(({ operator }) => operator.webhooks.pause(name));
    if (json) return printJson({ webhook });
    return print(
      `Paused the webhook ${webhook.name}. \`latchkey webhooks resume ${webhook.name}\` loses no events.`,
    );
  },
});

const resume = command({
  args: '<name>',
  flags: afterFlag('end, start or a cursor (default: after the last delivered event)'),
  async run({ args: [name = ''], flags: { after }, json }) {
    const webhook = await withService(({ operator }) => operator.webhooks.resume(name, { after }));
    return json ? printJson({ webhook }) : print(`Resumed the webhook ${webhook.name}.`);
  },
});

const test = command({
  args: '<name>',
  note: 'Sends the event webhook.test at once. The exit code is 5 if the receiver does not accept it.',
  async run({ args: [name = ''], json }) {
    const result = await withService(({ operator }) => operator.webhooks.test(name));
    const code = result.fault === null ? exitCodes.done : exitCodes.stopped;
    if (json) printJson(result);
    else print(`${resultOf(result)} in ${result.durationMs} ms`);
    return code;
  },
});

const remove = command({
  args: '<name>',
  flags: yesFlag,
  async run(input) {
    const [name = ''] = input.args;
    if (!(await confirmed(input, `Delete the webhook ${name} and its secret?`, 'webhooks')))
      return exitCodes.stopped;
    await withService(({ operator }) => operator.webhooks.delete(name));
    return input.json ? printJson({ deleted: name }) : print('Deleted the webhook.');
  },
});

export const commands = {
  list,
  create,
  update,
  'rotate-secret': rotateSecret,
  pause,
  resume,
  test,
  delete: remove,
};
