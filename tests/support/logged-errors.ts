import { expect } from 'vitest';

/** Expects that no service has logged an error. */
export function expectNoLoggedErrors(...services: { logged: { level: string }[] }[]): void {
  const logged = services.flatMap((service) => service.logged);
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
}
