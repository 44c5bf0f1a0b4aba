import type { Answer } from '../../../support/agent.ts';
import type { Random } from '../random.ts';
import type { ModelName } from './models.ts';
import type { Recorded } from './recorded.ts';

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

interface Recheck {
  readonly untilMs: number;
  run(): Promise<void>;
}

/** How long the campaign continues to read a key. Challenges expire after five minutes. */
const recheckMs = 120_000;

/** Records what the clients observe. */
export class Histories {
  readonly #add: (recorded: Recorded) => void;
  #rechecks: Recheck[] = [];

  /** @param add writes an operation to the recording */
  constructor(add: (recorded: Recorded) => void) {
    this.#add = add;
  }

  /** Sends a request and records it. @returns the answer, or null if it is unknown */
  async record({ model, key, request, send, meaning, staleMs = 0 }: Request): Promise<string | null> {
    const sentAt = performance.now();
    const response = await send();
    const answer = response && meaning(response);
    const isRead = request === 'check' || request === 'read' || request.startsWith('sign-in');
    // A read without an answer changes nothing.
    if (answer !== null || !isRead)
      this.#add({
        model,
        key,
        // A read of a cached state can take effect before its request.
        sentAt: sentAt - staleMs,
        answeredAt: answer === null ? null : performance.now(),
        request,
        answer,
      });
    return answer;
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

  /** Stops the rechecks, because their round ends. */
  clearRechecks(): void {
    this.#rechecks = [];
  }
}
