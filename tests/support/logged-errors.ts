import { expect } from 'vitest';

/** Expects that none of them has reported a fault of its own. */
export function expectNoLoggedErrors(...services: { logged: { level: string }[] }[]): void {
  const logged = services.flatMap((service) => service.logged);
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
}
