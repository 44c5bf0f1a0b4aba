import { AuthError } from '../../core/errors.ts';

/** A place in the log: after an event. */
export interface LogCursor {
  position: bigint;
  /** The id of the event at the position. It tells whether the log is still the same. */
  eventId: string;
}

/** Positions are of the type `bigint` in PostgreSQL. */
const lastPosition = 2n ** 63n - 1n;
const pattern = /^(0|[1-9]\d{0,18}):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns the text of a cursor: `"<position>:<event id>"`. */
export const cursorOf = ({ position, id }: { position: string; id: string }): string => `${position}:${id}`;

/** @throws AuthError `invalid_request` if the text is not a cursor */
export function readCursor(text: unknown): LogCursor {
  const [, position, eventId] = (typeof text === 'string' && pattern.exec(text)) || [];
  if (position === undefined || eventId === undefined || BigInt(position) > lastPosition)
    throw new AuthError('invalid_request', {
      message: 'after: expected a cursor of the audit log, such as 41:0193d5a2-7c1e-7cc3-98c5-c2a1b3d4e5f6',
    });
  return { position: BigInt(position), eventId };
}
