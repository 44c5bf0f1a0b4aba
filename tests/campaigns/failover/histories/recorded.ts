import { readFileSync } from 'node:fs';
import type { ModelName } from './models.ts';
import type { Operation } from './operation.ts';

/** One operation as a line of the recording. Without an answer, its result is unknown. */
export interface Recorded extends Omit<Operation, 'answeredAt'> {
  readonly model: ModelName;
  readonly key: string;
  readonly answeredAt: number | null;
}

/** The operations of all clients on one key, such as a username or a session. */
export interface History {
  readonly model: ModelName;
  readonly key: string;
  readonly operations: readonly Operation[];
}

/** The line after the operations of a round. */
export const roundMark = (round: number) => ({ round });

/**
 * Reads the histories of the first rounds. A later round is incomplete: operations that were running when the campaign
 * was stopped are missing, although other operations could see their effects.
 */
export function readHistories(file: string, rounds: number): History[] {
  const histories = new Map<string, { model: ModelName; key: string; operations: Operation[] }>();
  let completed = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (completed === rounds) break;
    const parsed: Recorded | ReturnType<typeof roundMark> = JSON.parse(line);
    if ('round' in parsed) completed = parsed.round;
    else {
      const { model, key, answeredAt, ...operation } = parsed;
      const id = `${model} ${key}`;
      const history = histories.get(id) ?? { model, key, operations: [] };
      histories.set(id, history);
      history.operations.push({ ...operation, answeredAt: answeredAt ?? Number.POSITIVE_INFINITY });
    }
  }
  return [...histories.values()];
}
