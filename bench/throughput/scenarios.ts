export const scenarios = [
  'session check',
  'role-guarded check',
  'login',
  'signup',
  'recovery use',
  'mixed',
  'password login',
] as const;
export type Scenario = (typeof scenarios)[number];

/**
 * The numbers of connections for a scenario. A password takes a core for a quarter of a second, and Latchkey rejects
 * requests that would wait more than five seconds. So passwords have few connections, to measure the work and not the
 * queue.
 */
export const connectionsFor = (scenario: Scenario): readonly number[] =>
  scenario === 'password login' ? [4] : [16, 64];
