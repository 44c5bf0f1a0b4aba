/** An event type of the OpenID Shared Signals Framework: CAEP 1.0 or RISC 1.0. */
export interface SharedSignal {
  /** The URI of the event type. */
  type: string;
  /** Claims of the event type that follow from the event name. */
  claims: Readonly<Record<string, string>>;
}

const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
const risc = 'https://schemas.openid.net/secevent/risc/event-type/';

const signal = (type: string, claims: SharedSignal['claims'] = {}): SharedSignal => ({ type, claims });

/** @see https://openid.net/specs/openid-caep-1_0-final.html */
export const sessionEstablished = signal(`${caep}session-established`);
export const sessionRevoked = signal(`${caep}session-revoked`);
/** The claim `claims` is missing, because it needs the new value. */
export const tokenClaimsChange = signal(`${caep}token-claims-change`);

export const passwordChange = (change: 'create' | 'update' | 'delete') =>
  signal(`${caep}credential-change`, { credential_type: 'password', change_type: change });

/** A passkey is on a device or on a security key, and the event does not say which. So `credential_type` is missing. */
export const passkeyChange = (change: 'create' | 'update' | 'delete') =>
  signal(`${caep}credential-change`, { change_type: change });

/** @see https://openid.net/specs/openid-risc-1_0-final.html */
export const accountDisabled = signal(`${risc}account-disabled`);
export const accountEnabled = signal(`${risc}account-enabled`);
export const accountPurged = signal(`${risc}account-purged`);
export const recoveryActivated = signal(`${risc}recovery-activated`);
/**
 * Also the type of a changed username. `identifier-changed` is only for the provider of an email address or of a phone
 * number (section 2.5).
 */
export const recoveryInformationChanged = signal(`${risc}recovery-information-changed`);
