import { AuthClientError, clientError, hasCode, type InputFault } from './errors.ts';
import { forgetToken, type TokenStore } from './token-store.ts';

export type Fetch = typeof globalThis.fetch;
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestContents {
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Whether the response is a text instead of JSON. Errors are JSON in both cases. */
  isText?: boolean;
}

/** Sends one request and returns the parsed body of the response, the text, or null if the body is empty. */
export type Send = (method: Method, path: string, contents?: RequestContents) => Promise<unknown>;

/** How requests carry the session. */
export interface Transport {
  credentials: 'include' | 'omit' | 'same-origin';
  /** Undefined: the session is in a cookie. */
  tokenStore?: TokenStore | undefined;
}

export function createSend(baseUrl: string, fetch: Fetch, { credentials, tokenStore }: Transport): Send {
  const base = baseUrl.replace(/\/+$/, '');
  return async (method, path, { body, signal, isText = false } = {}) => {
    const headers: Record<string, string> = { accept: isText ? 'text/plain' : 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const token = (await tokenStore?.read()) ?? null;
    if (tokenStore) headers['latchkey-session'] = 'bearer';
    if (token !== null) headers.authorization = `Bearer ${token}`;
    const init: RequestInit = { method, headers, credentials };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;

    const [response, text] = await exchange(fetch, `${base}${path}`, init);
    const content = isText && response.ok ? text : parse(text, response);
    if (!response.ok) {
      const error = problem(response, content);
      if (tokenStore && hasCode(error, 'not_authenticated')) await forgetToken(tokenStore, token);
      throw error;
    }
    return tokenStore ? keepToken(tokenStore, method, content) : content;
  };
}

/** Stores a new token, and returns the body without it. */
async function keepToken(store: TokenStore, method: Method, content: unknown): Promise<unknown> {
  if (!isRecord(content)) return content;
  const { sessionToken, ...rest } = content;
  if (typeof sessionToken === 'string') await store.write(sessionToken);
  // A POST whose response contains a session opens or renews this session, so the response must contain a token.
  else if (method === 'POST' && 'session' in content)
    throw clientError('invalid_response', {
      detail: 'The service returned no bearer token. Set bearerTokens: true in createAuthService.',
    });
  return rest;
}

/** Appends a query to a path, without values that are undefined, null or empty. */
export function withQuery(path: string, given: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, `${value}`);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

async function exchange(fetch: Fetch, url: string, init: RequestInit): Promise<[Response, string]> {
  try {
    const response = await fetch(url, init);
    return [response, await response.text()];
  } catch (cause) {
    throw clientError(init.signal?.aborted ? 'aborted' : 'network_error', { cause });
  }
}

function parse(text: string, { status }: Response): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw clientError('invalid_response', { status, cause });
  }
}

/** Converts an error response (RFC 9457) to an error. */
function problem(response: Response, content: unknown): AuthClientError {
  const { status, headers } = response;
  const retryAfterSeconds = readRetryAfter(headers.get('retry-after'));
  if (!isRecord(content) || typeof content.code !== 'string') {
    return clientError('invalid_response', { status, retryAfterSeconds });
  }
  const title = textOf(content.title) ?? `The service responded with status ${status}.`;
  return new AuthClientError(content.code, title, {
    status,
    nextStep: textOf(content.nextStep),
    detail: textOf(content.detail),
    reason: textOf(content.reason),
    errors: Array.isArray(content.errors) ? content.errors.filter(isFault) : undefined,
    retryAfterSeconds,
  });
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Returns one property of the body. A body without the property is not from the service. */
export function unwrap<T>(content: unknown, key: string): T {
  if (isRecord(content) && content[key] !== undefined) return content[key] as T;
  throw clientError('invalid_response');
}

/** Returns the body. If the body lacks any of the properties, it is not from the service. */
export function expectParts<T extends object>(content: unknown, ...keys: (keyof T & string)[]): T {
  for (const key of keys) unwrap(content, key);
  return content as T;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const isFault = (value: unknown): value is InputFault =>
  isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string';
