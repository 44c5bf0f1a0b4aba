import type { Caller } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import type { StoredFields } from '../core/user-fields.ts';
import { type ClientData, readClientData } from './client-data.ts';
import type { RefusalReason } from './refusal.ts';

/** What a challenge was created for: the kind of ceremony, and the user or the username. */
export type Ceremony =
  | {
      kind: 'signup';
      username: string;
      displayName: string | null;
      userHandle: string;
      /** The hash of the invitation's token. Absent: no invitation, or a process of an older version. */
      invitationHash?: string | null;
      /** Absent in a challenge of an earlier version of the service. */
      fields?: StoredFields;
    }
  | {
      kind: 'login';
      username: string | null;
      /** The username as the user entered it, if it is not the canonical form. */
      exact?: string;
    }
  | { kind: 'add'; userId: string }
  /** Adds a passkey without a prompt (WebAuthn 5.1.3, conditional mediation). Only this kind needs no user presence. */
  | { kind: 'upgrade'; userId: string }
  | { kind: 'stepup'; userId: string };

export type CeremonyOf<Kind extends Ceremony['kind']> = Extract<Ceremony, { kind: Kind }>;

interface SealedCeremony {
  ceremony: Ceremony;
  browser: string | null;
  /** Unix time in milliseconds, by the clock of the process that created the challenge. */
  expiresAt: number;
}

/**
 * A challenge that this service created. `mismatch`: why the challenge is not valid for this ceremony. Operations spend
 * the challenge even if it has a mismatch, so that no other request can use it.
 */
export type OpenedCeremony<Kind extends Ceremony['kind']> = { nonce: string; clientData: ClientData } & (
  | { ceremony: CeremonyOf<Kind>; mismatch: null }
  | { ceremony: null; mismatch: RefusalReason }
);

/** An unusable challenge: it is malformed, or this service did not create it, or it has expired. */
export interface UnusableChallenge {
  nonce: null;
  /** `challenge_unknown`: no secret of this process decrypts it. For example, two processes have different secrets. */
  mismatch: 'client_data_malformed' | 'challenge_unknown' | 'challenge_expired';
}

/**
 * Creates a challenge that contains the encrypted ceremony. So starting a ceremony writes nothing to the database.
 *
 * The challenge is valid only for this ceremony, this browser and a limited time. It contains 128 random bits (WebAuthn
 * 13.4.3).
 */
export function sealCeremony(runtime: Runtime, caller: Caller, ceremony: Ceremony): string {
  const expiresAt = runtime.clock().getTime() + runtime.config.passkeyTimeoutMs;
  const sealed: SealedCeremony = { ceremony, browser: caller.browser, expiresAt };
  return runtime.sealer.seal('ceremony', sealed);
}

/**
 * Decrypts the challenge in a response's client data (WebAuthn 7.1 steps 5, 6 and 8; 7.2 steps 8, 9 and 11).
 */
export function openCeremony<Kind extends Ceremony['kind']>(
  runtime: Runtime,
  caller: Caller,
  clientDataJSON: string,
  kinds: readonly Kind[],
): OpenedCeremony<Kind> | UnusableChallenge {
  const clientData = readClientData(clientDataJSON);
  if (typeof clientData?.challenge !== 'string') return unusable('client_data_malformed');
  const opened = runtime.sealer.open('ceremony', clientData.challenge);
  if (opened === null) return unusable('challenge_unknown');
  const common = { nonce: opened.nonce, clientData };
  const { ceremony, browser, expiresAt } = opened.value as SealedCeremony;
  if (runtime.clock().getTime() >= expiresAt) return unusable('challenge_expired');
  if (!kinds.includes(ceremony.kind as Kind))
    return { ...common, ceremony: null, mismatch: 'challenge_of_another_kind' };
  if (browser !== caller.browser)
    return { ...common, ceremony: null, mismatch: 'challenge_of_another_browser' };
  return { ...common, ceremony: ceremony as CeremonyOf<Kind>, mismatch: null };
}

const unusable = (mismatch: UnusableChallenge['mismatch']): UnusableChallenge => ({ nonce: null, mismatch });
