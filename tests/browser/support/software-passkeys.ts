import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Page } from 'playwright-core';

/** The functions that a page calls need unique names. */
let count = 0;

/**
 * Lets a software authenticator create the next passkey of the page. Unlike the virtual authenticator of Chromium, it
 * attests with certificates of a known authority, which the service can trust.
 */
export async function createNextPasskeyBy(page: Page, authenticator: SoftwareAuthenticator): Promise<void> {
  count += 1;
  const name = `createBySoftware${count}`;
  await page.exposeFunction(name, (options: PublicKeyCredentialCreationOptionsJSON) =>
    authenticator.create(options),
  );
  await page.evaluate(`{
    const encode = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const decode = (text) => Uint8Array.from(
      atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).buffer;
    const create = navigator.credentials.create;
    navigator.credentials.create = async ({ publicKey }) => {
      navigator.credentials.create = create;
      const { challenge, user, excludeCredentials, ...options } = publicKey;
      const { id, type, response } = await window.${name}({
        ...options,
        challenge: encode(challenge),
        user: { ...user, id: encode(user.id) },
        excludeCredentials: excludeCredentials.map(({ id, type }) => ({ id: encode(id), type })),
      });
      return {
        id,
        type,
        rawId: decode(id),
        authenticatorAttachment: 'cross-platform',
        getClientExtensionResults: () => ({}),
        response: {
          clientDataJSON: decode(response.clientDataJSON),
          attestationObject: decode(response.attestationObject),
          getTransports: () => response.transports,
        },
      };
    };
  }`);
}
