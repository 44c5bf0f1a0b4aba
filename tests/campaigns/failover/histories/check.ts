import { checkHistory, type Verdict } from './linearizable.ts';
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
  /** The keys of the histories for which the search reached its limit. */
  readonly undecided: readonly string[];
}

/**
 * Checks each history against its model.
 *
 * @param limit how many configurations the search of one history visits
 */
export const checkHistories = (all: readonly History[], limit?: number): Checked[] =>
  Object.entries(models).map(([name, model]) => {
    const histories = all.filter((history) => history.model === name);
    const operations = histories.flatMap((history) => history.operations);
    const verdicts = histories.map(
      (history) => [checkHistory(model, history.operations, limit), history] as const,
    );
    const withVerdict = (wanted: Verdict) =>
      verdicts.flatMap(([verdict, history]) => (verdict === wanted ? [history] : []));
    return {
      model: model.name,
      keys: histories.length,
      operations: operations.length,
      unknown: operations.filter(({ answer }) => answer === null).length,
      unexplained: withVerdict('not linearizable').map((history) => describe(model.name, history)),
      undecided: withVerdict('undecided').map(({ key }) => key),
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
