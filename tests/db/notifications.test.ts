import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepListening } from '../../src/db/notifications.ts';
import { type ChannelDatabase, channelDatabase } from './support/channel-database.ts';

const never = () => new Promise<never>(() => {});

let calls: string[];
let logged: string[];
let stop: () => Promise<void>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  calls = [];
  logged = [];
});
afterEach(async () => {
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(1000);
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function listenTo(database: ChannelDatabase): ChannelDatabase {
  const logAs = (level: string) => (_fields: object, message: string) =>
    void logged.push(`${level}: ${message.split(/[:(,]/)[0]?.trim()}`);
  const listener = {
    onListening: () => void calls.push('up'),
    onNotification: (payload: string) => void calls.push(payload),
    onLost: () => void calls.push('down'),
  };
  stop = keepListening(database, 'some_channel', listener, {
    info: logAs('info'),
    warn: logAs('warn'),
    error: logAs('error'),
  });
  return database;
}

const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);
const lose = (database: ChannelDatabase) => database.connections.at(-1)?.subscriber.onClose();
const cannot = 'warn: cannot listen for session changes';
const gone = 'warn: the connection for session changes was lost';
const undelivered = 'warn: notifications do not arrive';
const again = 'info: listening for session changes again';

describe('the listener for notifications', () => {
  test('reports that it is up when its test notification (the probe) has arrived, and logs nothing', async () => {
    let deliver = () => {};
    const database = listenTo(
      channelDatabase({
        sends: (deliverNow) => {
          deliver = deliverNow;
        },
      }),
    );
    await pass(1999);
    expect(calls).toEqual([]);
    deliver();
    await pass();
    database.notify('a-user-id');
    expect([calls, logged]).toEqual([['up', 'a-user-id'], []]);
  });

  test('reconnects 50 ms after each lost connection', async () => {
    const database = listenTo(channelDatabase());
    await pass();
    for (let outage = 1; outage <= 3; outage += 1) {
      lose(database);
      await pass(49);
      expect([calls.at(-1), database.connections.length]).toEqual(['down', outage]);
      await pass(1);
      expect([calls.at(-1), database.connections.length]).toEqual(['up', outage + 1]);
    }
    expect(logged).toEqual([gone, again, gone, again, gone, again]);
    expect(database.connections.map(({ closed }) => closed)).toEqual([true, true, true, false]);
  });

  test('checks its connection every two seconds, and replaces it when a check takes two seconds', async () => {
    let checked = 0;
    let answer: () => unknown = () => {};
    const database = listenTo(
      channelDatabase({
        checks: () => {
          checked += 1;
          return answer();
        },
      }),
    );
    await pass(20_000);
    expect([checked, calls]).toEqual([10, ['up']]);
    answer = never;
    await pass(3999);
    expect([checked, calls]).toEqual([11, ['up']]);
    answer = () => {};
    await pass(1);
    expect(calls).toEqual(['up', 'down']);
    await pass(1050);
    expect([calls, logged]).toEqual([
      ['up', 'down', 'up'],
      [gone, again],
    ]);
    expect(database.connections.map(({ closed }) => closed)).toEqual([true, false]);
  });

  test('closes its connection when a check fails, for example because the server is a standby', async () => {
    let fails = false;
    listenTo(
      channelDatabase({
        checks: () => {
          if (fails) throw new Error('this server is a standby');
        },
      }),
    );
    await pass(2000);
    fails = true;
    await pass(2000);
    expect(calls).toEqual(['up', 'down']);
  });

  test('closes its connection when it stops, and logs nothing', async () => {
    const database = listenTo(channelDatabase());
    await pass();
    await stop();
    await pass(600_000);
    expect([calls, logged]).toEqual([['up', 'down'], []]);
    expect(database.connections).toMatchObject([{ closed: true }]);
  });
});

describe('the listener retries', () => {
  test('after pauses that double up to five seconds, while no connection can be opened', async () => {
    let refusing = true;
    const database = listenTo(
      channelDatabase({
        opens: () => {
          if (refusing) throw new Error('refused');
        },
      }),
    );
    await pass();
    const pauses = [100, 200, 400, 800, 1600, 3200, 5000, 5000];
    for (const [n, pause] of pauses.entries()) {
      await pass(pause - 1);
      expect(database.connections).toHaveLength(n + 1);
      await pass(1);
      expect(database.connections).toHaveLength(n + 2);
    }
    refusing = false;
    await pass(5000);
    expect([calls, logged]).toEqual([['up'], [cannot, again]]);
    lose(database);
    await pass(50);
    expect(calls).toEqual(['up', 'down', 'up']);
  });

  test('after 100 ms if the connection is lost before the probe arrives', async () => {
    let losing = true;
    const database = listenTo(
      channelDatabase({
        sends: (deliver, current) => {
          if (!losing) deliver();
          else lose(current);
          losing = false;
        },
      }),
    );
    await pass();
    expect([calls, logged]).toEqual([[], [cannot]]);
    await pass(100);
    expect([calls, logged]).toEqual([['up'], [cannot, again]]);
    expect(database.connections).toMatchObject([{ closed: true }, { closed: false }]);
  });

  test('after 100 ms if it cannot send the probe', async () => {
    let failing = true;
    listenTo(
      channelDatabase({
        sends: (deliver) => {
          if (failing) throw new Error('refused');
          deliver();
        },
      }),
    );
    await pass();
    expect([calls, logged]).toEqual([[], [cannot]]);
    failing = false;
    await pass(100);
    expect([calls, logged]).toEqual([['up'], [cannot, again]]);
  });

  test.each([
    ['opening the connection', (hung: () => unknown) => ({ opens: hung })],
    [
      'sending the probe',
      (hung: () => unknown) => ({
        sends: async (deliver: () => void) => {
          await hung();
          deliver();
        },
      }),
    ],
  ])('after four seconds if %s hangs', async (_, steps) => {
    let hanging = true;
    listenTo(channelDatabase(steps(() => hanging && never())));
    await pass(3999);
    expect(logged).toEqual([]);
    await pass(1);
    expect(logged).toEqual([cannot]);
    hanging = false;
    await pass(1000 + 100);
    expect([calls, logged]).toEqual([['up'], [cannot, again]]);
  });

  test('after one minute if no notification arrives, and logs one warning', async () => {
    let delivering = false;
    const database = listenTo(
      channelDatabase({
        sends: (deliver) => {
          if (delivering) deliver();
        },
      }),
    );
    await pass(1999);
    expect(logged).toEqual([]);
    await pass(1);
    expect(logged).toEqual([undelivered]);
    for (let minute = 1; minute <= 5; minute += 1) {
      await pass(59_999);
      expect(database.connections).toHaveLength(minute);
      await pass(1);
      expect(database.connections).toHaveLength(minute + 1);
      await pass(2000);
    }
    expect([calls, logged]).toEqual([[], [undelivered]]);
    delivering = true;
    await pass(60_000);
    expect([calls, logged]).toEqual([['up'], [undelivered, again]]);
  });
});

describe('stopping the listener', () => {
  const stopped = async (limit: number) => {
    let done = false;
    void stop().then(() => {
      done = true;
    });
    await pass(limit);
    return done;
  };

  test('does not wait for a hanging connection, which is closed as soon as it opens', async () => {
    let open = () => {};
    const database = listenTo(
      channelDatabase({
        opens: () =>
          new Promise<void>((resolve) => {
            open = resolve;
          }),
      }),
    );
    await pass();
    expect(await stopped(1000)).toBe(true);
    open();
    await pass();
    expect([calls, logged, database.connections]).toMatchObject([[], [], [{ closed: true }]]);
  });

  test('takes at most one second, even if the connection does not close', async () => {
    listenTo(channelDatabase({ closes: never }));
    await pass();
    expect(await stopped(999)).toBe(false);
    expect(await stopped(1)).toBe(true);
    expect(logged).toEqual([]);
  });

  test.each([
    ['while no notification arrives', { sends: () => {} }],
    ['while sending the probe hangs', { sends: never }],
  ])('%s finishes immediately', async (_, steps) => {
    listenTo(channelDatabase(steps));
    await pass(100);
    expect(await stopped(0)).toBe(true);
    expect([calls, logged]).toEqual([[], []]);
  });

  test('between two attempts finishes immediately', async () => {
    const refuse = () => {
      throw new Error('refused');
    };
    listenTo(channelDatabase({ opens: refuse }));
    await pass(10_000);
    expect(await stopped(0)).toBe(true);
  });
});
