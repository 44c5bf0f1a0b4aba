import type { IncomingHttpHeaders } from 'node:http';

/** The Fetch API's `Headers`, of any implementation. */
export interface FetchHeaders {
  get(name: string): string | null;
  append(name: string, value: string): void;
}

/** A request with headers: `http.IncomingMessage`, a Fetch API `Request`, or one like either. */
export interface RequestWithHeaders {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: FetchHeaders | IncomingHttpHeaders;
}

/** Where a session can be read from: a request, or its headers alone. */
export type SessionSource = RequestWithHeaders | FetchHeaders | IncomingHttpHeaders;

/** What the service looks at in a request, whichever server received it. */
export interface ReceivedRequest {
  /** Upper case; null where only the headers are known. */
  readonly method: string | null;
  /** The path without its query; empty where it is not known. */
  readonly path: string;
  /** A header by its lower-case name; empty where it is absent. */
  header(name: string): string;
}

/** @throws TypeError for anything but a request or its headers */
export function receivedRequest(source: SessionSource): ReceivedRequest {
  if (!isObject(source)) throw unusable(source);
  const { method, url, headers } = source as Partial<RequestWithHeaders>;
  return isObject(headers)
    ? {
        method: typeof method === 'string' ? method.toUpperCase() : null,
        path: pathOf(url),
        header: reader(headers),
      }
    : { method: null, path: '', header: reader(source) };
}

function reader(headers: object): (name: string) => string {
  if (isFetchHeaders(headers)) return (name) => headers.get(name) ?? '';
  if (!isRecord(headers)) throw unusable(headers);
  return (name) => {
    const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    if (Array.isArray(found)) return found.join(name === 'cookie' ? '; ' : ', ');
    return typeof found === 'string' ? found : '';
  };
}

const pathOf = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url, 'http://host') ? new URL(url, 'http://host').pathname : '';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isFetchHeaders = (headers: object): headers is FetchHeaders =>
  'get' in headers &&
  typeof headers.get === 'function' &&
  'append' in headers &&
  typeof headers.append === 'function';

/** A plain object, also one of another realm, such as a test runner's. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (isObject(prototype) && Object.getPrototypeOf(prototype) === null);
}

function unusable(source: unknown): TypeError {
  const given = isObject(source) ? (source.constructor?.name ?? 'an object') : `${typeof source}`;
  return new TypeError(
    `sessionOf: expected an IncomingMessage, a Request, Headers or an object of headers, not ${given}`,
  );
}
