import { transformSync } from 'esbuild';
import { type AuthClientOptions, createAuthClient } from 'latchkey/client';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import { afterAll, beforeAll, vi } from 'vitest';
import type { TestAgent } from '../../support/agent.ts';
import { newAuthenticator, type Person } from '../../support/person.ts';

/** A page of the application in a browser of its own, with the passkeys of `authenticator`. */
export interface Page {
  browser: TestAgent;
  authenticator: SoftwareAuthenticator;
  /** Like the function of `latchkey/client`. Its client sends the requests of this page. */
  createAuthClient: typeof createAuthClient;
  /** Sends a request of this page. */
  fetch: typeof fetch;
}

/** The authenticator of the page that sent the last request. It answers the next prompt. */
let answering: SoftwareAuthenticator;

/** Call this once in a test file that opens pages. Replaces the WebAuthn API of the browser. */
export function usePages(): void {
  beforeAll(() => {
    vi.stubGlobal('isSecureContext', true);
    const isConditionalMediationAvailable = async () => true;
    vi.stubGlobal('PublicKeyCredential', Object.assign(() => {}, { isConditionalMediationAvailable }));
    vi.stubGlobal('document', { querySelectorAll: () => [] });
    vi.stubGlobal('navigator', { credentials: { create, get } });
  });
  afterAll(() => void vi.unstubAllGlobals());
}

/** Opens a page in the browser of a user, or in a new browser. */
export function openPage(
  service: { browser(): TestAgent },
  { browser = service.browser(), authenticator = newAuthenticator() }: Partial<Person> = {},
): Page {
  const send: typeof fetch = async (input, init = {}) => {
    answering = authenticator;
    const { pathname, search } = new URL(`${input}`, 'http://localhost');
    const headers = Object.fromEntries(new Headers(init.headers));
    const answer = await browser.request(
      init.method ?? 'GET',
      `${pathname}${search}`,
      init.body === undefined ? null : `${init.body}`,
      { ...headers, ...(init.body !== undefined && { 'Content-Type': 'application/json' }) },
    );
    const { status, headers: answered, body } = answer;
    const text = typeof body === 'string' || body === null ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers: answered });
  };
  return {
    browser,
    authenticator,
    fetch: send,
    createAuthClient: ((options: AuthClientOptions = {}) =>
      createAuthClient({ fetch: send, ...options })) as typeof createAuthClient,
  };
}

/** Returns a block without types and imports, for `runStatements`, which gets what the block imports as values. */
export const statementsOf = (code: string): string =>
  transformSync(code, { loader: 'ts' })
    .code.replaceAll(/^import [^;]*;\n+/gm, '')
    .replaceAll(/^export (?=const |async |function )/gm, '');

const base64url = (bytes: BufferSource): string =>
  Buffer.from(ArrayBuffer.isView(bytes) ? bytes.buffer : bytes).toString('base64url');
const buffer = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, 'base64url')).buffer;
const described = (credentials: PublicKeyCredentialDescriptor[] = []) =>
  credentials.map(({ id, ...rest }) => ({ ...rest, id: base64url(id) }));

async function create({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) {
  const { challenge, user, excludeCredentials } = publicKey;
  const { response, rawId, ...credential } = await answering.create({
    ...publicKey,
    challenge: base64url(challenge),
    user: { ...user, id: base64url(user.id) },
    excludeCredentials: described(excludeCredentials),
  } as Parameters<SoftwareAuthenticator['create']>[0]);
  return {
    ...credential,
    rawId: buffer(rawId),
    getClientExtensionResults: () => credential.clientExtensionResults,
    response: {
      clientDataJSON: buffer(response.clientDataJSON),
      attestationObject: buffer(response.attestationObject),
      getTransports: () => response.transports,
    },
  };
}

async function get({ publicKey }: { publicKey: PublicKeyCredentialRequestOptions }) {
  const { challenge, allowCredentials } = publicKey;
  const { response, rawId, ...credential } = await answering.get({
    ...publicKey,
    challenge: base64url(challenge),
    ...(allowCredentials && { allowCredentials: described(allowCredentials) }),
  } as Parameters<SoftwareAuthenticator['get']>[0]);
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    ...credential,
    rawId: buffer(rawId),
    getClientExtensionResults: () => credential.clientExtensionResults,
    response: {
      clientDataJSON: buffer(clientDataJSON),
      authenticatorData: buffer(authenticatorData),
      signature: buffer(signature),
      userHandle: userHandle && buffer(userHandle),
    },
  };
}
