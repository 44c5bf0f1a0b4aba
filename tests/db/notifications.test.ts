import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepListening } from '../../src/db/notifications.ts';
import { type EarDatabase, earDatabase } from './support/ear-database.ts';

const never = () => new Promise<never>(() => {});

let said: string[];
let logged: string[];
let stop: () => Promise<void>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  said = [];
  logged = [];
});
afterEach(async () => {
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(1000);
  await stopped;
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function listenTo(database: EarDatabase): EarDatabase {
  const logAs = (level: string) => (_fields: object, message: string) =>
    void logged.push(`${level}: ${message.split(/[:(]/)[0]?.trim()}`);
  const listener = {
    up: () => void said.push('up'),
    heard: (payload: string) => void said.push(payload),
    down: () => void said.push('down'),
  };
  stop = keepListening(database, 'some_channel', listener, {
    info: logAs('info'),
    warn: logAs('warn'),
    error: logAs('error'),
  });
  return database;
}

const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);
const lose = (database: EarDatabase) => database.connections.at(-1)?.ear.lost();
const cannot = 'warn: cannot listen for session changes';
const gone = 'warn: the connection for session changes was lost';
const deaf = 'warn: notifications do not arrive';
const again = 'info: listening for session changes again';

describe('a channel is listened to', () => {
  test('from the moment on that a notification of its own has arrived, and says nothing of it', async () => {
    let deliver = () => {};
    const database = listenTo(
      earDatabase({
        sends: (deliverNow) => {
          deliver = deliverNow;
        },
      }),
    );
    await pass(1999);
    expect(said).toEqual([]);
    deliver();
    await pass();
    database.notify('somebody');
    expect([said, logged]).toEqual([['up', 'somebody'], []]);
  });

  test('again after a twentieth of a second, when its connection is lost, for ever', async () => {
    const database = listenTo(earDatabase());
    await pass();
    for (let outage = 1; outage <= 3; outage += 1) {
      lose(database);
      await pass(49);
      expect([said.at(-1), database.connections.length]).toEqual(['down', outage]);
      await pass(1);
      expect([said.at(-1), database.connections.length]).toEqual(['up', outage + 1]);
    }
    expect(logged).toEqual([gone, again, gone, again, gone, again]);
    expect(database.connections.map(({ closed }) => closed)).toEqual([true, true, true, false]);
  });

  test('no more after it is stopped, and that is no outage', async () => {
    const database = listenTo(earDatabase());
    await pass();
    await stop();
    await pass(600_000);
    expect([said, logged]).toEqual([['up', 'down'], []]);
    expect(database.connections).toMatchObject([{ closed: true }]);
  });
});

describe('it is tried again,', () => {
  test('each time after twice as long, up to five seconds, where there is no connection to be had', async () => {
    let refusing = true;
    const database = listenTo(
      earDatabase({
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
    expect([said, logged]).toEqual([['up'], [cannot, again]]);
    lose(database);
    await pass(50);
    expect(said).toEqual(['up', 'down', 'up']);
  });

  test('soon, where the connection is lost before a notification has arrived', async () => {
    let losing = true;
    const database = listenTo(
      earDatabase({
        sends: (deliver, current) => {
          if (!losing) deliver();
          else lose(current);
          losing = false;
        },
      }),
    );
    await pass();
    expect([said, logged]).toEqual([[], [cannot]]);
    await pass(100);
    expect([said, logged]).toEqual([['up'], [cannot, again]]);
    expect(database.connections).toMatchObject([{ closed: true }, { closed: false }]);
  });

  test('where the notification cannot be sent', async () => {
    let failing = true;
    listenTo(
      earDatabase({
        sends: (deliver) => {
          if (failing) throw new Error('refused');
          deliver();
        },
      }),
    );
    await pass();
    expect([said, logged]).toEqual([[], [cannot]]);
    failing = false;
    await pass(100);
    expect([said, logged]).toEqual([['up'], [cannot, again]]);
  });

  test.each([
    ['opening', (hung: () => unknown) => ({ opens: hung })],
    [
      'sending',
      (hung: () => unknown) => ({
        sends: async (deliver: () => void) => {
          await hung();
          deliver();
        },
      }),
    ],
  ])('after four seconds, where %s hangs for ever', async (_, steps) => {
    let hanging = true;
    listenTo(earDatabase(steps(() => hanging && never())));
    await pass(3999);
    expect(logged).toEqual([]);
    await pass(1);
    expect(logged).toEqual([cannot]);
    hanging = false;
    await pass(1000 + 100);
    expect([said, logged]).toEqual([['up'], [cannot, again]]);
  });

  test('after a minute, where nothing arrives, and that is told once', async () => {
    let delivering = false;
    const database = listenTo(
      earDatabase({
        sends: (deliver) => {
          if (delivering) deliver();
        },
      }),
    );
    await pass(1999);
    expect(logged).toEqual([]);
    await pass(1);
    expect(logged).toEqual([deaf]);
    for (let minute = 1; minute <= 5; minute += 1) {
      await pass(59_999);
      expect(database.connections).toHaveLength(minute);
      await pass(1);
      expect(database.connections).toHaveLength(minute + 1);
      await pass(2000);
    }
    expect([said, logged]).toEqual([[], [deaf]]);
    delivering = true;
    await pass(60_000);
    expect([said, logged]).toEqual([['up'], [deaf, again]]);
  });
});

describe('stopping', () => {
  const stopped = async (limit: number) => {
    let done = false;
    void stop().then(() => {
      done = true;
    });
    await pass(limit);
    return done;
  };

  test('waits for no connection that hangs, and closes it once it opens', async () => {
    let open = () => {};
    const database = listenTo(
      earDatabase({
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
    expect([said, logged, database.connections]).toMatchObject([[], [], [{ closed: true }]]);
  });

  test('waits a second for a connection that does not close', async () => {
    listenTo(earDatabase({ closes: never }));
    await pass();
    expect(await stopped(999)).toBe(false);
    expect(await stopped(1)).toBe(true);
    expect(logged).toEqual([]);
  });

  test.each([
    ['while nothing arrives', { sends: () => {} }],
    ['while the notification hangs', { sends: never }],
  ])('%s is done at once', async (_, steps) => {
    listenTo(earDatabase(steps));
    await pass(100);
    expect(await stopped(0)).toBe(true);
    expect([said, logged]).toEqual([[], []]);
  });

  test('between two attempts is done at once', async () => {
    const refuse = () => {
      throw new Error('refused');
    };
    listenTo(earDatabase({ opens: refuse }));
    await pass(10_000);
    expect(await stopped(0)).toBe(true);
  });
});
