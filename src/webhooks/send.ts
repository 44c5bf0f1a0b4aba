import { type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { bounds } from '../core/bounds.ts';
import type { WebhookSettings } from '../core/config-webhooks.ts';
import { second } from '../core/duration.ts';
import { hostOf, isReachable } from './destination.ts';
import { type Resolve, serialLookup } from './lookup.ts';
import type { WebhookMessage } from './message.ts';
import { retryAfterMsOf } from './rules.ts';
import type { DeliveryFault, FailedAttempt } from './webhook.ts';

/** How long a receiver can take for the connection and the complete response. */
export const attemptTimeoutMs = 15 * second;

/** The result of an attempt. `fault` is null if the receiver accepted the message. */
export type Attempted = { fault: null; status: number } | FailedAttempt;

/** Sends messages to one receiver. Several messages can use one connection. */
export interface Channel {
  /** Sends one message. @throws the reason of `signal` if it aborts */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<Attempted>;
  close(): void;
}

class RefusedAddress extends Error {}

class IncompleteResponse extends Error {}

/**
 * Opens a channel to the URL of a webhook. It connects only to addresses that `isReachable` accepts. It checks the
 * addresses that the connection uses, so a host that has another address at the next lookup cannot bypass the check (DNS
 * rebinding). It follows no redirects.
 *
 * @param find replaces the lookup of hosts in tests
 */
export function openChannel(
  target: string,
  settings: Pick<WebhookSettings, 'allowedNetworks'>,
  find: Resolve = serialLookup,
): Channel {
  const url = new URL(target);
  const isTls = url.protocol === 'https:';
  const agent = isTls
    ? new TlsAgent({ keepAlive: true, maxSockets: 1 })
    : new PlainAgent({ keepAlive: true, maxSockets: 1 });
  const lookup = reachableLookup(settings, find);

  function attempt(message: WebhookMessage, stop: AbortSignal): Promise<Response> {
    return new Promise((resolve, reject) => {
      // For an IP address in the URL, Node looks up no host.
      if (isIP(hostOf(url)) > 0 && !isReachable(hostOf(url), settings)) throw new RefusedAddress();
      const request = (isTls ? requestTls : requestPlain)(url, {
        method: 'POST',
        agent,
        lookup,
        signal: stop,
        headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      });
      request.once('socket', (socket) => refuseUnreachable(socket, settings));
      request.once('response', (incoming) => {
        // A receiver that answers before it has the complete body cannot have accepted the event.
        const isEarly = !request.writableFinished;
        readEnd(incoming).then((response) => resolve({ ...response, isEarly }), reject);
      });
      // Node.js destroys the request without an error if a receiver switches protocols and nothing handles that.
      request.once('upgrade', (incoming: IncomingMessage, socket: Socket) => {
        socket.destroy();
        resolve({ status: incoming.statusCode ?? 0, retryAfter: undefined, isEarly: false });
      });
      request.once('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })));
      request.end(message.body);
    });
  }

  async function send(message: WebhookMessage, stop: AbortSignal): Promise<Response> {
    try {
      return await attempt(message, stop);
    } catch (error) {
      // A server can close an idle connection at the moment when the next request starts.
      if ((error as { reused?: boolean }).reused && !stop.aborted) return attempt(message, stop);
      throw error;
    }
  }

  return {
    async send(message, signal) {
      const timeout = new AbortController();
      const stop = () => timeout.abort();
      const timer = setTimeout(stop, attemptTimeoutMs);
      // Without `AbortSignal.any`, because some versions of Node.js keep its signals in memory.
      signal?.addEventListener('abort', stop);
      try {
        signal?.throwIfAborted();
        return judge(await send(message, timeout.signal));
      } catch (error) {
        signal?.throwIfAborted();
        const fault = timeout.signal.aborted ? 'timeout' : faultOf(error);
        return { fault, status: null, retryAfterMs: null };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
      }
    },
    close: () => agent.destroy(),
  };
}

/** The parts of a response that decide whether the receiver accepted the event. */
interface Response {
  status: number;
  retryAfter: string | undefined;
  isEarly: boolean;
}

function judge({ status, retryAfter, isEarly }: Response): Attempted {
  const retryAfterMs = retryAfterMsOf(retryAfter, new Date());
  if (status >= 200 && status < 300)
    return isEarly ? { fault: 'incomplete', status, retryAfterMs } : { fault: null, status };
  const isRedirect = status >= 300 && status < 400;
  return { fault: isRedirect ? 'redirected' : 'refused', status, retryAfterMs };
}

/**
 * Reads the response to its end, or up to the limit. If the connection ends before the response is complete, the receiver
 * can have crashed, so the attempt counts as failed.
 */
function readEnd(incoming: IncomingMessage): Promise<Omit<Response, 'isEarly'>> {
  return new Promise((resolve, reject) => {
    let size = 0;
    const done = () =>
      resolve({ status: incoming.statusCode ?? 0, retryAfter: incoming.headers['retry-after'] });
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bounds.webhookResponseBytes) return;
      done();
      incoming.destroy();
    });
    incoming.once('end', done);
    incoming.once('error', () => reject(new IncompleteResponse()));
    incoming.once('close', () => reject(new IncompleteResponse()));
  });
}

/** Returns a lookup that finds only reachable addresses. */
function reachableLookup(settings: Pick<WebhookSettings, 'allowedNetworks'>, find: Resolve): LookupFunction {
  return (host, options, callback) => {
    find(host, { all: true }, (error, found) => {
      const reachable = error ? [] : found.filter(({ address }) => isReachable(address, settings));
      const [first] = reachable;
      if (error) callback(error, '');
      else if (first === undefined) callback(new RefusedAddress(), '');
      else if (options.all) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };
}

/** Checks the address of the open connection once more, before anything is sent. */
function refuseUnreachable(socket: Socket, settings: Pick<WebhookSettings, 'allowedNetworks'>): void {
  if (!socket.connecting) return;
  socket.once('connect', () => {
    if (!isReachable(socket.remoteAddress ?? '', settings)) socket.destroy(new RefusedAddress());
  });
}

/** Errors of the certificate have these codes, or start with `ERR_TLS` or `ERR_SSL`. */
const tlsCode =
  /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY|DECODE)|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

function faultOf(error: unknown): DeliveryFault {
  if (error instanceof RefusedAddress) return 'address_refused';
  if (error instanceof IncompleteResponse) return 'incomplete';
  const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'unknown_host';
  return tlsCode.test(code) ? 'tls_failed' : 'connection_failed';
}
