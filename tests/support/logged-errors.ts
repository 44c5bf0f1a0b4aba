import { expect } from 'vitest';

/**
 * Test services run no sequencer of the audit log. If a test file takes more than five minutes on a busy machine, its
 * service reports that the events wait.
 */
const backlog = /^audit events have waited for their positions/;

/** Expects that no service has logged an error. */
export function expectNoLoggedErrors(...services: { logged: { level: string; message: string }[] }[]): void {
  const logged = services.flatMap((service) => service.logged);
  expect(logged.filter(({ level, message }) => level === 'error' && !backlog.test(message))).toEqual([]);
}
