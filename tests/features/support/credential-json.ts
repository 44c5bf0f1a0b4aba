/** The JSON of a credential. Its type allows a test to change every property. */
export interface LooseCredential {
  [member: string]: unknown;
  response: Record<string, unknown>;
}

type Change = (credential: LooseCredential) => unknown;

const outside =
  (members: Record<string, unknown>): Change =>
  (credential) => ({ ...credential, ...members });

export const inside =
  (response: Record<string, unknown>): Change =>
  (credential) => ({ ...credential, response: { ...credential.response, ...response } });

/** Changes that make a credential malformed, at sign-up and at sign-in, with the path in the error. */
export const malformedCredentials: [name: string, change: Change, path: string][] = [
  ['no credential', () => undefined, 'credential'],
  ['null instead of a credential', () => null, 'credential'],
  ['a string instead of a credential', () => 'credential', 'credential'],
  ['an empty list instead of a credential', () => [], 'credential.id'],
  ['an empty object instead of a credential', () => ({}), 'credential.id'],
  ['no id', outside({ id: undefined }), 'credential.id'],
  ['an empty id', outside({ id: '' }), 'credential.id'],
  ['a number as its id', outside({ id: 1 }), 'credential.id'],
  ['an id in standard base64', outside({ id: 'a+b/' }), 'credential.id'],
  ['an id with padding', outside({ id: 'AA==' }), 'credential.id'],
  ['a NUL character in its id', outside({ id: 'AA\0' }), 'credential.id'],
  ['no rawId', outside({ rawId: undefined }), 'credential.rawId'],
  ['a list as its rawId', outside({ rawId: [1, 2] }), 'credential.rawId'],
  ['no type', outside({ type: undefined }), 'credential.type'],
  ['a number as its type', outside({ type: 1 }), 'credential.type'],
  [
    'a number as its attachment',
    outside({ authenticatorAttachment: 1 }),
    'credential.authenticatorAttachment',
  ],
  [
    'a string as its extension results',
    outside({ clientExtensionResults: 'x' }),
    'credential.clientExtensionResults',
  ],
  ['no response', outside({ response: undefined }), 'credential.response'],
  ['null as its response', outside({ response: null }), 'credential.response'],
  ['a string as its response', outside({ response: 'x' }), 'credential.response'],
  ['no client data', inside({ clientDataJSON: undefined }), 'credential.response.clientDataJSON'],
  [
    'client data that is not base64url',
    inside({ clientDataJSON: '{}' }),
    'credential.response.clientDataJSON',
  ],
  ['an object as its client data', inside({ clientDataJSON: {} }), 'credential.response.clientDataJSON'],
];

/** Unusual but valid changes of a credential, at sign-up and at sign-in. */
export const unusualCredentials: [name: string, change: Change][] = [
  ['null as its attachment', outside({ authenticatorAttachment: null })],
  ['no attachment', outside({ authenticatorAttachment: undefined })],
  ['an unknown attachment', outside({ authenticatorAttachment: 'implant' })],
  ['no extension results', outside({ clientExtensionResults: undefined })],
  ['unknown extension results', outside({ clientExtensionResults: { future: { on: [true] } } })],
  ['unknown properties', outside({ future: 1 })],
  ['unknown properties in its response', inside({ future: { deep: [] } })],
];
