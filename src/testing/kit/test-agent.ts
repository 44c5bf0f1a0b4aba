import type { CookieJar } from './cookie-jar.ts';
import type { ServedApp } from './served-app.ts';

/** An answer, read whole. */
export interface TestAnswer<Body> {
  status: number;
  headers: Headers;
  /** The parsed JSON; the text where it is none, and null where there is nothing. */
  body: Body;
}

/** Headers of a request, beside those that the agent sends by itself. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Sends `body` as JSON, where there is one. */
export type Sending = <Body = unknown>(
  path: string,
  body?: unknown,
  headers?: RequestHeaders,
) => Promise<TestAnswer<Body>>;

/**
 * A browser on the pages of the app, as far as the app can tell: it keeps cookies, and says by `Host`, `Origin` and
 * `Sec-Fetch-Site` where its requests come from. Headers that are given go before its own.
 */
export interface TestAgent {
  /** Its cookies as it would send them now: for the handshake of a WebSocket, say. */
  readonly cookie: string;
  /** @example const { status, body } = await ada.get<Report>('/reports/1'); */
  get<Body = unknown>(path: string, headers?: RequestHeaders): Promise<TestAnswer<Body>>;
  post: Sending;
  put: Sending;
  patch: Sending;
  delete: Sending;
  /** As the global `fetch`, for a form or a stream say; redirects are not followed. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** @param origin of the pages that its requests come from */
export function createTestAgent(app: ServedApp, origin: string, jar: CookieJar): TestAgent {
  async function fetch(path: string, init?: RequestInit): Promise<Response> {
    const url = new URL(path, origin);
    if (!path.startsWith('/') || url.origin !== origin)
      throw new TypeError(`expected a path such as /reports, not ${path}`);
    const request = new Request(url, init);
    for (const [name, value] of ownHeaders(request.method))
      if (!request.headers.has(name)) request.headers.set(name, value);
    const response = await app.fetch(request);
    jar.keep(response.headers);
    return response;
  }

  /** What a browser says of itself. Where a page merely reads from its own site it sends no `Origin`. */
  const ownHeaders = (method: string): [string, string][] => [
    ['Sec-Fetch-Site', 'same-origin'],
    ...(method === 'GET' || method === 'HEAD' ? [] : [['Origin', origin] satisfies [string, string]]),
    ...(jar.header === '' ? [] : [['Cookie', jar.header] satisfies [string, string]]),
  ];

  const sending =
    (method: string): Sending =>
    async (path, body, headers) =>
      answerOf(
        await fetch(path, {
          method,
          headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
          body: body === undefined ? null : JSON.stringify(body),
        }),
      );

  return {
    get cookie() {
      return jar.header;
    },
    get: async (path, headers) => answerOf(await fetch(path, { headers: { ...headers } })),
    post: sending('POST'),
    put: sending('PUT'),
    patch: sending('PATCH'),
    delete: sending('DELETE'),
    fetch,
  };
}

async function answerOf<Body>(response: Response): Promise<TestAnswer<Body>> {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /[/+]json\b/i.test(headers.get('Content-Type') ?? '');
  // What shape it has, whoever asked has said.
  const body = (text !== '' && isJson ? JSON.parse(text) : text || null) as Body;
  return { status, headers, body };
}
