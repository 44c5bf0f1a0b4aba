import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from '../load.ts';
import { changeRole } from './role.ts';
import { endSession } from './session.ts';
import { replayRecoveryCode, replaySignIn } from './single-use.ts';
import type { Stage } from './stage.ts';
import { raceForUsername } from './username.ts';

const visits = [raceForUsername, endSession, changeRole, replaySignIn, replayRecoveryCode];
const longestPauseMs = 600;
const recheckPauseMs = 60;

/** Starts one client of each kind, and two clients that read the keys of earlier visits again. */
export function startHistories(stage: Omit<Stage, 'hasStopped'>): Load {
  let stopped = false;
  const shared: Stage = { ...stage, hasStopped: () => stopped };

  async function repeat(work: () => Promise<void>, pauseMs: () => number): Promise<void> {
    while (!stopped) {
      await work();
      await sleep(pauseMs());
    }
  }

  const recheck = () => shared.histories.recheckOne(shared.random);
  const running = Promise.all([
    ...visits.map((visit) =>
      repeat(
        () => visit(shared),
        () => shared.random.below(longestPauseMs),
      ),
    ),
    ...[recheck, recheck].map((work) => repeat(work, () => recheckPauseMs)),
  ]);
  return {
    async stop() {
      stopped = true;
      await running;
      stage.histories.clearRechecks();
    },
  };
}
