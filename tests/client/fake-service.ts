/** A response of a fake service. Each route returns its responses in order and repeats the last one. */
export interface Answer {
  status?: number;
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

export interface SeenRequest {
  route: string;
  query: URLSearchParams;
  body: unknown;
  init: RequestInit;
}

export function fakeService(routes: Record<string, Answer | Answer[]>) {
  const seen: SeenRequest[] = [];
  const counts = new Map<string, number>();

  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    init.signal?.throwIfAborted();
    const url = new URL(String(input), 'https://example.org');
    const route = `${init.method} ${url.pathname}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    seen.push({ route, query: url.searchParams, body, init });
    const answers = [routes[route] ?? problem(404, 'not_found')].flat();
    const count = counts.get(route) ?? 0;
    counts.set(route, count + 1);
    const { status = 200, json, text, headers } = answers[Math.min(count, answers.length - 1)] ?? {};
    const content = text ?? (json === undefined ? null : JSON.stringify(json));
    return new Response(content, { status, headers: { 'content-type': 'application/json', ...headers } });
  };

  return { fetch, seen, routes: () => seen.map(({ route }) => route) };
}

export const problem = (status: number, code: string, more: object = {}): Answer => ({
  status,
  json: { type: 'about:blank', title: `Title of ${code}`, status, code, ...more },
  headers: { 'content-type': 'application/problem+json' },
});
