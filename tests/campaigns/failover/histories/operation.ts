/** One operation of a client on one key, as the client observed it. Times are milliseconds of one monotonic clock. */
export interface Operation {
  /** When the client sent the request. The operation cannot take effect earlier. */
  readonly sentAt: number;
  /** When the client received the response. Infinity for a mutation whose result is unknown. */
  readonly answeredAt: number;
  /** What the client asked for, such as "sign-up by 2". */
  readonly request: string;
  /** What the service answered. Null: unknown. The operation may take effect at any later time, or never. */
  readonly answer: string | null;
}

/** What a model sees of an operation. */
export type Effect = Pick<Operation, 'request' | 'answer'>;

/** What one key does without concurrency. */
export interface Model {
  readonly name: string;
  readonly initial: string;
  /**
   * Returns the state after an operation. Null: the operation cannot return this answer in this state. An operation
   * with an unknown answer returns the state that its effect would cause, or null if it would have no effect.
   */
  step(state: string, effect: Effect): string | null;
}
