/** Whether a text is this many bytes as base64url without padding, in the only form that encoders produce. */
const isBase64url = (text: string, minBytes: number, maxBytes: number): boolean => {
  if (text.length > Math.ceil((maxBytes * 4) / 3) || !/^[\w-]*$/.test(text)) return false;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length >= minBytes && bytes.length <= maxBytes && bytes.toString('base64url') === text;
};

/** Whether a text can be a user handle: 1 to 64 bytes (WebAuthn 5.4.3). */
export const isUserHandle = (text: string): boolean => isBase64url(text, 1, 64);

/** Whether a text can be the id of a credential: at most 1023 bytes (WebAuthn 4, Credential ID). */
export const isCredentialId = (text: string): boolean => isBase64url(text, 1, 1023);
