/** A credential as JSON, of which a test may change anything. */
export interface LooseCredential {
  [member: string]: unknown;
  response: Record<string, unknown>;
}

type Change = (credential: LooseCredential) => unknown;

/** Changes members of the credential. */
const outside =
  (members: Record<string, unknown>): Change =>
  (credential) => ({ ...credential, ...members });

/** Changes members of the credential's response. */
export const inside =
  (response: Record<string, unknown>): Change =>
  (credential) => ({ ...credential, response: { ...credential.response, ...response } });

/** What is malformed in the credential of a signup and of a login alike, and where. */
export const malformedCredentials: [name: string, change: Change, path: string][] = [
  ['no credential', () => undefined, 'credential'],
  ['null', () => null, 'credential'],
  ['a text', () => 'credential', 'credential'],
  ['an empty list', () => [], 'credential.id'],
  ['an empty object', () => ({}), 'credential.id'],
  ['no id', outside({ id: undefined }), 'credential.id'],
  ['an empty id', outside({ id: '' }), 'credential.id'],
  ['a number for an id', outside({ id: 1 }), 'credential.id'],
  ['an id in standard base64', outside({ id: 'a+b/' }), 'credential.id'],
  ['an id with padding', outside({ id: 'AA==' }), 'credential.id'],
  ['NUL in the id', outside({ id: 'AA\0' }), 'credential.id'],
  ['no rawId', outside({ rawId: undefined }), 'credential.rawId'],
  ['a list for a rawId', outside({ rawId: [1, 2] }), 'credential.rawId'],
  ['no type', outside({ type: undefined }), 'credential.type'],
  ['a number for a type', outside({ type: 1 }), 'credential.type'],
  [
    'a number for an attachment',
    outside({ authenticatorAttachment: 1 }),
    'credential.authenticatorAttachment',
  ],
  [
    'a text for extension results',
    outside({ clientExtensionResults: 'x' }),
    'credential.clientExtensionResults',
  ],
  ['no response', outside({ response: undefined }), 'credential.response'],
  ['null for a response', outside({ response: null }), 'credential.response'],
  ['a text for a response', outside({ response: 'x' }), 'credential.response'],
  ['no client data', inside({ clientDataJSON: undefined }), 'credential.response.clientDataJSON'],
  ['client data that is not encoded', inside({ clientDataJSON: '{}' }), 'credential.response.clientDataJSON'],
  ['an object for client data', inside({ clientDataJSON: {} }), 'credential.response.clientDataJSON'],
];

/** What a credential may have, or lack, at a signup and at a login alike. */
export const unusualCredentials: [name: string, change: Change][] = [
  ['null for an attachment', outside({ authenticatorAttachment: null })],
  ['no attachment', outside({ authenticatorAttachment: undefined })],
  ['an attachment nobody knows', outside({ authenticatorAttachment: 'implant' })],
  ['no extension results', outside({ clientExtensionResults: undefined })],
  ['extension results nobody knows', outside({ clientExtensionResults: { future: { on: [true] } } })],
  ['members nobody knows', outside({ future: 1 })],
  ['members nobody knows in the response', inside({ future: { deep: [] } })],
];
