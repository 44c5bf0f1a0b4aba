import type { TestAgent } from './agent.ts';

/** A browser's cookies as it sends them: an object of headers. */
export const cookieHeader = ({ cookies }: Pick<TestAgent, 'cookies'>): { cookie: string } => ({
  cookie: [...cookies].map((cookie) => cookie.join('=')).join('; '),
});
