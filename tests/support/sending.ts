import type { TestAgent } from './agent.ts';

/** Returns a browser that sends these headers with each request, such as its own User-Agent. */
export const sending = (browser: TestAgent, headers: Record<string, string>): TestAgent => ({
  cookies: browser.cookies,
  get: (path, more) => browser.get(path, { ...headers, ...more }),
  post: (path, body, more) => browser.post(path, body, { ...headers, ...more }),
  put: (path, body, more) => browser.put(path, body, { ...headers, ...more }),
  patch: (path, body, more) => browser.patch(path, body, { ...headers, ...more }),
  delete: (path, more) => browser.delete(path, { ...headers, ...more }),
  request: (method, path, body, more) => browser.request(method, path, body, { ...headers, ...more }),
  copy: () => sending(browser.copy(), headers),
});
