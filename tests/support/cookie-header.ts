import type { TestAgent } from './agent.ts';

/** The Cookie header that the browser sends, as a headers object. */
export const cookieHeader = ({ cookies }: Pick<TestAgent, 'cookies'>): { cookie: string } => ({
  cookie: [...cookies].map((cookie) => cookie.join('=')).join('; '),
});
