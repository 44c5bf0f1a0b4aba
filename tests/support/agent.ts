import { Agent } from 'node:http';
import { type RawRequest, send } from './raw-request.ts';

/** An answer, read whole. `body` is the parsed JSON, or null where there is none. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, wrong ones included
  body: any;
}

/** A browser as far as the server can tell: it keeps cookies and says where its pages are from. */
export interface TestAgent {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  request(
    method: string,
    path: string,
    body?: RawRequest['body'] | null,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Another browser with the same cookies. */
  copy(): TestAgent;
}

/** Kept for the next request, for less long than a server keeps them: none is used that it is just giving up. */
const connections = new Agent({ keepAlive: true, timeout: 3_000 });

/** By `node:http`, since a `fetch` takes several times as long. */
export function createAgent(url: string, origin: string, cookies = new Map<string, string>()): TestAgent {
  async function request(
    method: string,
    path: string,
    body?: RawRequest['body'] | null,
    headers: Record<string, string> = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { pathname, search } = new URL(`${url}${path}`);
    const answer = await send(url, `${pathname}${search}`, {
      method,
      agent: connections,
      ...(body != null && { body }),
      headers: {
        'User-Agent': 'node',
        Origin: origin,
        ...(cookie && { Cookie: cookie }),
        ...(typeof body === 'string' && { 'Content-Type': 'text/plain;charset=UTF-8' }),
        ...headers,
      },
    });
    const answered = new Headers();
    for (const [name, values] of Object.entries(answer.headers))
      for (const value of [values ?? []].flat()) answered.append(name, value);
    keepCookies(answered, cookies);
    return { status: answer.status, headers: answered, body: answer.body ?? (answer.text || null) };
  }

  const json =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      body === undefined
        ? request(method, path, null, headers)
        : request(method, path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });

  return {
    cookies,
    get: (path, headers) => request('GET', path, null, headers),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: (path, headers) => request('DELETE', path, null, headers),
    request,
    copy: () => createAgent(url, origin, new Map(cookies)),
  };
}

function keepCookies(headers: Headers, cookies: Map<string, string>): void {
  for (const line of headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (attributes.includes('Max-Age=0')) cookies.delete(name);
    else cookies.set(name, value);
  }
}
