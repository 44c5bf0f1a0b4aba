import { createSoftwareAuthenticator, type SoftwareAuthenticator } from 'latchkey/testing';

const origin = 'http://localhost:3000';

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the responses of several routes; a measurement reads one property
  body: any;
}

/** An HTTP client that keeps cookies. */
export interface Visitor {
  authenticator: SoftwareAuthenticator;
  /** The value of the Cookie header. */
  cookies(): string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
}

/** @param more headers of each POST request */
export function newVisitor(url: string, more: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>();
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    authenticator: createSoftwareAuthenticator({ origin }),
    cookies: cookieHeader,
    async get(path) {
      const response = await fetch(`${url}/auth${path}`, { headers: { Cookie: cookieHeader() } });
      return { status: response.status, body: await response.json() };
    },
    async post(path, body = {}) {
      const headers = { 'Content-Type': 'application/json', Origin: origin, Cookie: cookieHeader(), ...more };
      const response = await fetch(`${url}/auth${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      return { status: response.status, body: await response.json() };
    },
  };
}

export async function signUp(visitor: Visitor, username: string): Promise<void> {
  const { options } = (await visitor.post('/passkey/register/start', { username })).body;
  const credential = await visitor.authenticator.create(options);
  expectStatus(await visitor.post('/passkey/register/verify', { credential }), 201);
}

export async function logIn(visitor: Visitor): Promise<void> {
  const { options } = (await visitor.post('/passkey/login/start')).body;
  const credential = await visitor.authenticator.get(options);
  expectStatus(await visitor.post('/passkey/login/verify', { credential }), 200);
}

/** Ends the run on a wrong response, because a wrong response makes the measurement invalid. */
export function expectStatus(answer: Answer, ...expected: number[]): Answer {
  if (expected.includes(answer.status)) return answer;
  throw new Error(`expected ${expected}, got ${answer.status} ${JSON.stringify(answer.body)}`);
}
