import type { Answer } from '../../../support/agent.ts';
import type { Random } from '../random.ts';
import { isLinearizable, type Operation } from './linearizable.ts';
import { type ModelName, models } from './models.ts';

/** The operations of all clients on one key, such as a username or a session. */
interface History {
  readonly model: ModelName;
  readonly key: string;
  readonly operations: Operation[];
}

/** A request of a client on a key. */
export interface Request {
  readonly model: ModelName;
  readonly key: string;
  /** What the client asks for, as the model expects it. */
  readonly request: string;
  /** Returns null if the response does not tell whether the request took effect. */
  send(): Promise<Answer | null>;
  /** Returns what the model expects as the answer. */
  meaning(answer: Answer): string;
  /** How old the state in the response can be. The default is 0. */
  staleMs?: number;
}

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

interface Recheck {
  readonly untilMs: number;
  run(): Promise<void>;
}

/** How long the campaign continues to read a key. Challenges expire after five minutes. */
const recheckMs = 120_000;

/** Records what the clients observe. */
export class Histories {
  readonly #histories = new Map<string, History>();
  #rechecks: Recheck[] = [];

  /** Sends a request and records it. @returns the answer, or null if it is unknown */
  async record(asked: Request): Promise<string | null> {
    const sentAt = performance.now();
    const response = await asked.send();
    const answer = response && asked.meaning(response);
    const isRead =
      asked.request === 'check' || asked.request === 'read' || asked.request.startsWith('sign-in');
    // A read without an answer changes nothing.
    if (answer !== null || !isRead)
      this.#historyOf(asked).operations.push({
        // A read of a cached state can take effect before its request.
        sentAt: sentAt - (asked.staleMs ?? 0),
        answeredAt: answer === null ? Number.POSITIVE_INFINITY : performance.now(),
        request: asked.request,
        answer,
      });
    return answer;
  }

  #historyOf({ model, key }: Request): History {
    const id = `${model} ${key}`;
    const history = this.#histories.get(id) ?? { model, key, operations: [] };
    this.#histories.set(id, history);
    return history;
  }

  /** Repeats a read of a key for two minutes, also during later faults. */
  addRecheck(run: () => Promise<void>): void {
    this.#rechecks.push({ untilMs: performance.now() + recheckMs, run });
  }

  /** Runs one of the rechecks, if one exists. */
  async recheckOne(random: Random): Promise<void> {
    this.#rechecks = this.#rechecks.filter(({ untilMs }) => performance.now() < untilMs);
    await this.#rechecks[random.below(this.#rechecks.length || 1)]?.run();
  }

  /** Stops the rechecks, because their processes end. */
  clearRechecks(): void {
    this.#rechecks = [];
  }

  /** Checks each history against its model. */
  check(): Checked[] {
    return Object.entries(models).map(([name, model]) => {
      const histories = [...this.#histories.values()].filter((history) => history.model === name);
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
  }
}

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
