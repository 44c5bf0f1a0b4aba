import { isLinearizable } from './linearizable.ts';
import { models } from './models.ts';
import type { History } from './recorded.ts';

/** The result of checking all histories of a model. */
export interface Checked {
  readonly model: string;
  readonly keys: number;
  readonly operations: number;
  /** Mutations whose result the client does not know. */
  readonly unknown: number;
  /** The histories that no order of the operations explains, as text. */
  readonly unexplained: readonly string[];
}

/** Checks each history against its model. */
export const checkHistories = (all: readonly History[]): Checked[] =>
  Object.entries(models).map(([name, model]) => {
    const histories = all.filter((history) => history.model === name);
    const operations = histories.flatMap((history) => history.operations);
    return {
      model: model.name,
      keys: histories.length,
      operations: operations.length,
      unknown: operations.filter(({ answer }) => answer === null).length,
      unexplained: histories
        .filter((history) => !isLinearizable(model, history.operations))
        .map((history) => describe(model.name, history)),
    };
  });

function describe(model: string, { key, operations }: History): string {
  const start = Math.min(...operations.map(({ sentAt }) => sentAt));
  const seconds = (time: number) => (Number.isFinite(time) ? ((time - start) / 1000).toFixed(3) : 'unknown');
  const lines = [...operations]
    .sort((one, other) => one.sentAt - other.sentAt)
    .map(
      ({ sentAt, answeredAt, request, answer }) =>
        `  ${seconds(sentAt)} to ${seconds(answeredAt)} s: ${request} → ${answer ?? 'unknown'}`,
    );
  return [`${model} ${key}`, ...lines].join('\n');
}
