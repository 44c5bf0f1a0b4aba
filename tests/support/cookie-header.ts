import type { TestAgent } from './agent.ts';

/** Returns the headers object with the Cookie header that the browser sends. */
export const cookieHeader = ({ cookies }: Pick<TestAgent, 'cookies'>): { cookie: string } => ({
  cookie: [...cookies].map((cookie) => cookie.join('=')).join('; '),
});
