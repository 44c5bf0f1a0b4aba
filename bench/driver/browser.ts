import { origin, rpId } from '../throughput/identity.ts';
import type { HttpConnection } from './http-connection.ts';
import type { Answer } from './read-answer.ts';

export type Cookies = Map<string, string>;

/** An HTTP client that keeps cookies. */
export interface Browser {
  readonly cookies: Cookies;
  /** Returns the body. @throws Error if the status differs */
  // biome-ignore lint/suspicious/noExplicitAny: the responses of several routes; a ceremony reads one property
  ask(method: string, path: string, body: object | null, expected: number): Promise<any>;
}

export function newBrowser(connection: HttpConnection, cookies: Cookies = new Map()): Browser {
  return {
    cookies,
    async ask(method, path, body, expected) {
      const answer = await connection.ask(requestOf(method, path, cookies, body));
      expectStatus(answer, expected, `${method} ${path}`);
      keepCookies(cookies, answer.head);
      return answer.body.length > 0 ? JSON.parse(answer.body.toString()) : null;
    },
  };
}

export function requestOf(
  method: string,
  path: string,
  cookies: Cookies,
  body: object | null = null,
): string {
  const content = body === null ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${rpId}`,
    'X-Forwarded-Proto: https',
    'Accept: application/json',
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  ];
  if (cookies.size > 0) lines.push(`Cookie: ${cookieHeader(cookies)}`);
  if (method !== 'GET') lines.push(`Origin: ${origin}`);
  if (body !== null)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`);
  return `${lines.join('\r\n')}\r\n\r\n${content}`;
}

/** Ends the run on a wrong response, because a wrong response makes the measurement invalid. */
export function expectStatus(answer: Answer, expected: number, what: string): void {
  if (answer.status === expected) return;
  throw new Error(
    `${what}: expected ${expected}, got ${answer.status} ${answer.body.toString().slice(0, 300)}`,
  );
}

const cookieHeader = (cookies: Cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

function keepCookies(cookies: Cookies, head: string): void {
  for (const [, name = '', value = '', attributes = ''] of head.matchAll(
    /^set-cookie: *([^=\r\n]+)=([^;\r\n]*)([^\r\n]*)/gim,
  )) {
    if (value === '' || /; *max-age=0/i.test(attributes)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
