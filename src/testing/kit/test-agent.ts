import type { CookieJar } from './cookie-jar.ts';
import type { ServedApp } from './served-app.ts';

/** A response with its body. */
export interface TestAnswer<Body> {
  status: number;
  headers: Headers;
  /** The parsed JSON. If the response is not JSON: its text. If the response is empty: null. */
  body: Body;
}

/** The headers of a request. They override the headers that the agent sets. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** Sends a request. If `body` is given, the request contains it as JSON. */
export type Sending = <Body = unknown>(
  path: string,
  body?: unknown,
  headers?: RequestHeaders,
) => Promise<TestAnswer<Body>>;

/**
 * A simulated browser that sends requests from a page of the app. The browser keeps cookies and sets the headers
 * `Host`, `Origin` and `Sec-Fetch-Site`.
 *
 * @example const { status, body } = await ada.post<Report>('/reports', { title: 'May' });
 */
export interface TestAgent {
  /** The current `Cookie` header, for example for a WebSocket handshake. */
  readonly cookie: string;
  /**
   * Sends a GET request.
   *
   * @example const { status, body } = await ada.get<Report>('/reports/1');
   */
  get<Body = unknown>(path: string, headers?: RequestHeaders): Promise<TestAnswer<Body>>;
  /** Sends a POST request, with a JSON body if one is given. */
  post: Sending;
  /** Sends a PUT request, with a JSON body if one is given. */
  put: Sending;
  /** Sends a PATCH request, with a JSON body if one is given. */
  patch: Sending;
  /** Sends a DELETE request, with a JSON body if one is given. */
  delete: Sending;
  /** Like the global `fetch`, but does not follow redirects. Use it for forms and streams, for example. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** @param origin the origin of the page that sends the requests */
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

  /** The headers that a browser sets. A browser sends no `Origin` with same-origin GET and HEAD requests. */
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
  // The test chooses the type `Body`. Nothing checks that the body has this type.
  const body = (text !== '' && isJson ? JSON.parse(text) : text || null) as Body;
  return { status, headers, body };
}
