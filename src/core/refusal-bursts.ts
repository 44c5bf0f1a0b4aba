import { v7 as uuid } from 'uuid';
import { bounds } from './bounds.ts';
import { minute } from './duration.ts';
import type { NamedUser } from './user.ts';

/** What the refusals of one burst have in common. All of them are refusals of callers without a session. */
export interface AnonymousRefusal {
  event: string;
  reason: string;
  /** The user that the request authenticated before it was refused, such as a disabled user. Null: none. */
  actor: NamedUser | null;
  /** The user or the passkey that the refusal is about. Null: the request named none that exists. */
  target: { type: string; id: string; name: string | null } | null;
  /** The result of `addressBlock`. Null: the refusals came from several networks, or from outside of HTTP. */
  ip: string | null;
}

/** Refusals that the audit log records as one event. */
export interface RefusalBurst extends AnonymousRefusal {
  /** The id of the event. */
  id: string;
  /** How many refusals the burst contains. */
  count: number;
  firstAt: Date;
  lastAt: Date;
}

/** The refusals that the audit log does not record one by one. They are counted in the memory of this process. */
export interface RefusalBursts {
  /** Counts the refusal. Returns false if the audit log must record the refusal as an event of its own. */
  count(refusal: AnonymousRefusal): boolean;
  /** Passes each burst to `write`. Keeps a burst for the next call if `write` throws, then throws the error. */
  record(write: (burst: RefusalBurst) => Promise<unknown>): Promise<void>;
  /** How many counted refusals are not recorded yet. */
  readonly unrecorded: number;
  /** From now on, `count` returns false. */
  end(): void;
}

const windowMs = 10 * minute;

type OpenBursts = Map<string, RefusalBurst>;

/**
 * Creates the counters of a process. In each window of ten minutes, the first refusals of an event from an IP address
 * are recorded one by one: `threshold` for each address, and at most 30 times as many for all addresses. All further
 * refusals are counted. Kubernetes has the same limit: it aggregates more than ten similar events in ten minutes.
 *
 * Refusals about existing and unknown users are counted alike. Otherwise, the response time would reveal whether a user
 * exists, because a counted refusal writes no event.
 *
 * In a public audit log, everyone sees how many events there are, and when each happened. One event for each user would
 * reveal which of the guessed users exist. So if the log is public, bursts differ only in the event and the IP address.
 *
 * @param isLogPublic whether everyone can read the entries of the audit log
 * @see https://github.com/kubernetes/kubernetes/blob/v1.30.0/staging/src/k8s.io/client-go/tools/record/events_cache.go
 */
export function createRefusalBursts(
  clock: () => Date,
  threshold: number,
  isLogPublic = false,
): RefusalBursts {
  const newWindow = (startedAt: number) => ({
    startedAt,
    recorded: 0,
    recordedFrom: new Map<string, number>(),
  });
  let window = newWindow(clock().getTime());
  /** The two maps have separate limits. So refusals that name no user cannot displace those that name one. */
  const open = { aboutTarget: new Map() as OpenBursts, other: new Map() as OpenBursts };
  /** The bursts that no longer count. They keep their id, so that a repeated write does not record a burst twice. */
  const closed: RefusalBurst[] = [];
  let hasEnded = false;

  function mayRecordAlone({ event, ip }: AnonymousRefusal, now: number): boolean {
    // The absolute value, because the clock can be set back.
    if (Math.abs(now - window.startedAt) >= windowMs) window = newWindow(now);
    const key = `${event} ${ip}`;
    const recorded = window.recordedFrom.get(key) ?? 0;
    if (recorded >= threshold || window.recorded >= threshold * bounds.burstAddresses) return false;
    window.recordedFrom.set(key, recorded + 1);
    window.recorded += 1;
    return true;
  }

  /** Returns the most exact burst that exists or has room. A burst of only a kind always has room. */
  function burstOf(given: AnonymousRefusal, at: Date): RefusalBurst {
    const refusal = isLogPublic ? withoutUser(given) : given;
    const { event, reason, target } = refusal;
    const bursts = target ? open.aboutTarget : open.other;
    if (hasRoom(bursts, refusal, bounds.burstsWithAddress)) return burstIn(bursts, refusal, at);
    const fromAnywhere = { ...refusal, ip: null };
    if (target && hasRoom(bursts, fromAnywhere, bounds.burstsWithTarget))
      return burstIn(bursts, fromAnywhere, at);
    return burstIn(open.other, { event, reason, actor: null, target: null, ip: null }, at);
  }

  const hasRoom = (bursts: OpenBursts, kind: AnonymousRefusal, most: number): boolean =>
    bursts.has(keyOf(kind)) || bursts.size < most;

  function burstIn(bursts: OpenBursts, kind: AnonymousRefusal, at: Date): RefusalBurst {
    const burst = bursts.get(keyOf(kind)) ?? { ...kind, id: uuid(), count: 0, firstAt: at, lastAt: at };
    bursts.set(keyOf(kind), burst);
    return burst;
  }

  const openBursts = () => [...open.aboutTarget.values(), ...open.other.values()];

  async function recordClosed(write: (burst: RefusalBurst) => Promise<unknown>): Promise<void> {
    for (let burst = closed.shift(); burst; burst = closed.shift()) {
      try {
        await write(burst);
      } catch (error) {
        closed.unshift(burst);
        throw error;
      }
    }
  }

  return {
    count(refusal) {
      const now = clock();
      if (hasEnded || mayRecordAlone(refusal, now.getTime())) return false;
      const burst = burstOf(refusal, now);
      burst.count += 1;
      burst.lastAt = now;
      return true;
    },
    async record(write) {
      // The bursts of an earlier call that failed come first. So during an outage of the database, only two sets of
      // bursts are in memory: those of the failed call, and the open ones.
      await recordClosed(write);
      closed.push(...openBursts());
      open.aboutTarget.clear();
      open.other.clear();
      await recordClosed(write);
    },
    get unrecorded() {
      return [...closed, ...openBursts()].reduce((sum, { count }) => sum + count, 0);
    },
    end() {
      hasEnded = true;
    },
  };
}

/** Also removes the reason, because it reveals whether the user exists. */
const withoutUser = ({ event, ip }: AnonymousRefusal): AnonymousRefusal => ({
  event,
  reason: 'not_recorded',
  actor: null,
  target: null,
  ip,
});

const keyOf = ({ event, reason, actor, target, ip }: AnonymousRefusal): string =>
  JSON.stringify([event, reason, actor?.id, target?.id, ip]);
