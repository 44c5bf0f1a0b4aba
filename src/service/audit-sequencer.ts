import { randomUUID } from 'node:crypto';
import type { Continuity } from '../audit/log/continuity.ts';
import { LogChangedError } from '../audit/log/log-changed.ts';
import { logKeysOf } from '../audit/log/log-keys.ts';
import { createSequencer } from '../audit/log/sequencer.ts';
import { releaseLease, renewLease } from '../audit/store/sequencer-lease.ts';
import { minute, second } from '../core/duration.ts';
import { createPauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';

/** The pause after a round that found nothing more. */
const every = second;
/** The pause while another process sequences, and after an error. */
const waitingPause = 5 * second;
/** The pause after a `LogChangedError`. An operator must decide what to do. */
const changedPause = minute;
/** How long the process sequences before it renews its lease. Shorter than the lease. */
const renewEvery = 5 * second;

/**
 * Gives committed audit events their positions, every second. If several processes do this, usually only one works, and
 * the others take over when its lease ends. Does not keep the process running.
 */
export function startAuditSequencer(runtime: Runtime, continuity: Continuity): { stop(): Promise<void> } {
  const { db, config, log } = runtime;
  const pauses = createPauses();
  const holder = randomUUID();
  let heldSince = Number.NEGATIVE_INFINITY;
  let isCaughtUp = false;
  const sequencer = createSequencer(
    { db, keys: logKeysOf(config), host: config.rpId, continuity },
    async () => !pauses.ended && (await holds()),
  );

  /** Renews the lease in time. @returns whether this process has it */
  async function holds(): Promise<boolean> {
    if (performance.now() - heldSince < renewEvery) return true;
    const asked = performance.now();
    const held = (await db.query(renewLease(holder, isCaughtUp))).length > 0;
    heldSince = held ? asked : Number.NEGATIVE_INFINITY;
    isCaughtUp = false;
    return held;
  }

  /** @returns the pause after the round, in milliseconds */
  async function work(): Promise<number> {
    try {
      if (!(await holds())) return waitingPause;
      const result = await sequencer.round();
      isCaughtUp = result === 'idle';
      return result === 'idle' ? every : 0;
    } catch (error) {
      if (error instanceof LogChangedError) {
        log.error(
          { err: error },
          'the audit log in the database is not the one that this service has signed, so audit events get no positions; run `latchkey audit verify`',
        );
        return changedPause;
      }
      log.warn({ err: error }, 'cannot give audit events their positions, trying again in five seconds');
      return waitingPause;
    }
  }

  async function run(): Promise<void> {
    let pause: number = every;
    while (await pauses.take(pause)) pause = await work();
    if (heldSince > 0) await db.query(releaseLease(holder)).catch(() => {});
  }
  const running = run();
  return {
    stop: () => {
      pauses.end();
      return running;
    },
  };
}
