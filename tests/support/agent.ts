import { Agent } from 'node:http';
import { type RawRequest, send } from './raw-request.ts';

/** A complete response. `body` is the parsed JSON, other text, or null if the body is empty. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape, including wrong ones
  body: any;
}

/** Replaces a browser: keeps cookies and sends the Origin header. */
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
  /** Returns another browser with the same cookies. */
  copy(): TestAgent;
}

/**
 * Keep-alive connections. This agent closes an idle connection before the server would close it. So no request uses a
 * connection that is closing.
 */
const connections = new Agent({ keepAlive: true, timeout: 3_000 });

interface Asking {
  method: string;
  headers: Record<string, string>;
  body?: RawRequest['body'] | null | undefined;
}
type Exchange = (url: string, path: string, asking: Asking) => Promise<Answer>;

/** Uses `node:http`, because `fetch` is several times slower. */
const byHttp: Exchange = async (url, path, { method, headers, body }) => {
  const { pathname, search } = new URL(`${url}${path}`);
  const request = { method, headers, agent: connections, ...(body != null && { body }) };
  const answer = await send(url, `${pathname}${search}`, request);
  const answered = new Headers();
  for (const [name, values] of Object.entries(answer.headers))
    for (const value of [values ?? []].flat()) answered.append(name, value);
  return { status: answer.status, headers: answered, body: answer.body ?? (answer.text || null) };
};

const byFetch =
  (fetching: typeof fetch): Exchange =>
  async (url, path, { method, headers, body }) => {
    const response = await fetching(`${url}${path}`, {
      method,
      headers,
      body: (body ?? null) as string | null,
    });
    const text = await response.text();
    const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: text && isJson ? JSON.parse(text) : text || null,
    };
  };

/** @param fetching a `fetch` that replaces `node:http`, for servers that need more than a URL */
export function createAgent(
  url: string,
  origin: string,
  cookies = new Map<string, string>(),
  fetching?: typeof fetch,
): TestAgent {
  const exchange = fetching ? byFetch(fetching) : byHttp;
  async function request(
    method: string,
    path: string,
    body?: RawRequest['body'] | null,
    headers: Record<string, string> = {},
  ) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await exchange(url, path, {
      method,
      body,
      headers: {
        'User-Agent': 'node',
        Origin: origin,
        ...(cookie && { Cookie: cookie }),
        ...(typeof body === 'string' && { 'Content-Type': 'text/plain;charset=UTF-8' }),
        ...headers,
      },
    });
    keepCookies(answer.headers, cookies);
    return answer;
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
    copy: () => createAgent(url, origin, new Map(cookies), fetching),
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
