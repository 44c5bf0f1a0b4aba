import type { AuditEvent, AuditEventName, AuthService } from 'latchkey';
import { onTestFinished } from 'vitest';

export interface Gate {
  opened: Promise<void>;
  open(): void;
}

export function createGate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Returns whether a statement reads the audit events for the handlers of `auth.on`. */
export const readsHeard = (statement: string): boolean =>
  /from latchkey\.audit_events\s+where audit_events\.id in \(/.test(statement);

/** Collects the events that a handler receives, until `stop` is called or the test ends. */
export function listenTo(
  auth: AuthService,
  name: AuditEventName | '*' = '*',
): { heard: AuditEvent[]; stop(): void } {
  const heard: AuditEvent[] = [];
  const stop = auth.on(name, (event) => heard.push(event));
  onTestFinished(stop);
  return { heard, stop };
}

export const namesOf = (events: readonly AuditEvent[]): string[] => events.map(({ event }) => event);
