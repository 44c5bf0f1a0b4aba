import { type Exchange, exchange } from './exchange.ts';
import type { WorstRequest } from './worst-requests.ts';

/** Prepares a request: starts its ceremony, and returns a function that sends the request. */
export async function prepareWorst(
  url: string,
  { method, path, headers = {}, body, start, signedIn }: WorstRequest,
  sessionCookie: string,
): Promise<() => Promise<Exchange>> {
  const { challenge, cookie } = start === undefined ? { challenge: '', cookie: '' } : await begin(url, start);
  const cookies = [signedIn ? sessionCookie : '', cookie].filter(Boolean).join('; ');
  const request = {
    method,
    path: `/auth${path}`,
    headers: cookies ? { Cookie: cookies, ...headers } : headers,
    body: typeof body === 'function' ? body(challenge) : body,
  };
  return () => exchange(url, request);
}

export const sendWorst = async (...given: Parameters<typeof prepareWorst>): Promise<Exchange> =>
  (await prepareWorst(...given))();

let ceremonies = 0;

async function begin(url: string, path: string): Promise<{ challenge: string; cookie: string }> {
  ceremonies += 1;
  const { headers, body } = await exchange(url, {
    method: 'POST',
    path: `/auth${path}`,
    headers: { 'Content-Type': 'application/json', Origin: 'http://localhost:3000' },
    body: path.includes('register') ? `{"username":"worst-${ceremonies}"}` : '{}',
  });
  const { challenge } = JSON.parse(body).options;
  return { challenge, cookie: /set-cookie: ([^;]*)/i.exec(headers)?.[1] ?? '' };
}
