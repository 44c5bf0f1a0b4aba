/** A credential as JSON in which a test can change anything. */
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

/** What makes a credential malformed at a sign-up and at a sign-in, and the path of the error. */
export const malformedCredentials: [name: string, change: Change, path: string][] = [
  ['no credential', () => undefined, 'credential'],
  ['null as credential', () => null, 'credential'],
  ['a string as credential', () => 'credential', 'credential'],
  ['an empty list as credential', () => [], 'credential.id'],
  ['an empty object as credential', () => ({}), 'credential.id'],
  ['no id', outside({ id: undefined }), 'credential.id'],
  ['an empty id', outside({ id: '' }), 'credential.id'],
  ['a number as id', outside({ id: 1 }), 'credential.id'],
  ['an id in standard base64', outside({ id: 'a+b/' }), 'credential.id'],
  ['an id with padding', outside({ id: 'AA==' }), 'credential.id'],
  ['NUL in the id', outside({ id: 'AA\0' }), 'credential.id'],
  ['no rawId', outside({ rawId: undefined }), 'credential.rawId'],
  ['a list as rawId', outside({ rawId: [1, 2] }), 'credential.rawId'],
  ['no type', outside({ type: undefined }), 'credential.type'],
  ['a number as type', outside({ type: 1 }), 'credential.type'],
  ['a number as attachment', outside({ authenticatorAttachment: 1 }), 'credential.authenticatorAttachment'],
  [
    'a string as extension results',
    outside({ clientExtensionResults: 'x' }),
    'credential.clientExtensionResults',
  ],
  ['no response', outside({ response: undefined }), 'credential.response'],
  ['null as response', outside({ response: null }), 'credential.response'],
  ['a string as response', outside({ response: 'x' }), 'credential.response'],
  ['no client data', inside({ clientDataJSON: undefined }), 'credential.response.clientDataJSON'],
  ['client data that is not encoded', inside({ clientDataJSON: '{}' }), 'credential.response.clientDataJSON'],
  ['an object as client data', inside({ clientDataJSON: {} }), 'credential.response.clientDataJSON'],
];

/** What a credential can have or lack, at a sign-up and at a sign-in. */
export const unusualCredentials: [name: string, change: Change][] = [
  ['null as attachment', outside({ authenticatorAttachment: null })],
  ['no attachment', outside({ authenticatorAttachment: undefined })],
  ['an unknown attachment', outside({ authenticatorAttachment: 'implant' })],
  ['no extension results', outside({ clientExtensionResults: undefined })],
  ['unknown extension results', outside({ clientExtensionResults: { future: { on: [true] } } })],
  ['unknown properties', outside({ future: 1 })],
  ['unknown properties in the response', inside({ future: { deep: [] } })],
];
