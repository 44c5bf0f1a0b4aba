import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import type { RequestFacts } from '../core/request-facts.ts';

/** An instance of `Headers` (Fetch API) from any implementation. */
export interface FetchHeaders {
  get(name: string): string | null;
  append(name: string, value: string): void;
}

/** A request: `http.IncomingMessage`, a Fetch API `Request`, or an object with the same properties. */
export interface RequestWithHeaders {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: FetchHeaders | IncomingHttpHeaders;
}

/** The input of `auth.sessionOf`: a request, or only its headers. */
export type SessionSource = RequestWithHeaders | FetchHeaders | IncomingHttpHeaders;

/** A request, independent of the server that received it. */
export interface ReceivedRequest extends RequestFacts {
  /** The IP address of the client. Null: unknown. */
  readonly ip: string | null;
}

/** A request that Koa received. Reads its parts only when they are needed, because guards check every request. */
export class KoaRequest implements RequestFacts {
  protected readonly ctx: Context;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  get method(): string {
    return this.ctx.method;
  }

  get path(): string {
    return this.ctx.path;
  }

  readonly header = (name: string): string => this.ctx.get(name);
}

export const factsOf = (ctx: Context): RequestFacts => new KoaRequest(ctx);

/**
 * @param caller the method that the application called with the source, for the error message
 * @throws TypeError if the source is neither a request nor headers
 */
export function receivedRequest(source: SessionSource, caller: string): ReceivedRequest {
  if (!isObject(source)) throw unusable(source, caller);
  const { method, url, headers } = source as Partial<RequestWithHeaders>;
  return isObject(headers)
    ? {
        method: typeof method === 'string' ? method.toUpperCase() : null,
        path: pathOf(url),
        ip: null,
        header: reader(headers, caller),
      }
    : { method: null, path: '', ip: null, header: reader(source, caller) };
}

function reader(headers: object, caller: string): (name: string) => string {
  if (isFetchHeaders(headers)) return (name) => headers.get(name) ?? '';
  if (!isRecord(headers)) throw unusable(headers, caller);
  return (given) => {
    const name = given.toLowerCase();
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

/** Whether a value is a plain object. Some test runners use several realms, so an object of any realm counts. */
function isRecord(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (isObject(prototype) && Object.getPrototypeOf(prototype) === null);
}

function unusable(source: unknown, caller: string): TypeError {
  const given = isObject(source) ? (source.constructor?.name ?? 'an object') : `${typeof source}`;
  return new TypeError(
    `${caller}: expected an IncomingMessage, a Request, Headers or an object of headers, not ${given}`,
  );
}
