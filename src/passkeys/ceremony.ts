import type { Caller } from '../core/actor.ts';
import type { Runtime } from '../core/runtime.ts';
import { type ClientData, readClientData } from './client-data.ts';
import type { RefusalReason } from './refusal.ts';

/** What a challenge was minted for, and for whom. */
export type Ceremony =
  | { kind: 'signup'; username: string; displayName: string | null; userHandle: string }
  | { kind: 'login'; username: string | null }
  | { kind: 'add'; userId: string }
  /** Adding without a prompt (WebAuthn 5.1.3, conditional mediation): the one kind that no person need answer. */
  | { kind: 'upgrade'; userId: string }
  | { kind: 'stepup'; userId: string };

export type CeremonyOf<Kind extends Ceremony['kind']> = Extract<Ceremony, { kind: Kind }>;

interface SealedCeremony {
  ceremony: Ceremony;
  browser: string | null;
  /** Milliseconds since the epoch, by the clock of the process that minted it. */
  expiresAt: number;
}

/** A challenge that is ours. `fault` says why it cannot serve the ceremony it was brought to; it is spent all the same. */
export type OpenedCeremony<Kind extends Ceremony['kind']> = { nonce: string; clientData: ClientData } & (
  | { ceremony: CeremonyOf<Kind>; fault: null }
  | { ceremony: null; fault: RefusalReason }
);

/**
 * Mints a challenge that carries its own ceremony, so that starting one stores nothing.
 *
 * It is bound to the kind, the subject, the browser and an expiry, and holds 128 random bits (WebAuthn 13.4.3).
 */
export function sealCeremony(runtime: Runtime, caller: Caller, ceremony: Ceremony): string {
  const expiresAt = runtime.clock().getTime() + runtime.config.passkeyTimeoutMs;
  const sealed: SealedCeremony = { ceremony, browser: caller.browser, expiresAt };
  return runtime.sealer.seal('ceremony', sealed);
}

/** Opens the challenge inside a response's client data; null where it is not one of ours, or expired. */
export function openCeremony<Kind extends Ceremony['kind']>(
  runtime: Runtime,
  caller: Caller,
  clientDataJSON: string,
  kinds: readonly Kind[],
): OpenedCeremony<Kind> | null {
  const clientData = readClientData(clientDataJSON);
  if (typeof clientData?.challenge !== 'string') return null;
  const opened = runtime.sealer.open('ceremony', clientData.challenge);
  if (opened === null) return null;
  const known = { nonce: opened.nonce, clientData };
  const { ceremony, browser, expiresAt } = opened.value as SealedCeremony;
  if (runtime.clock().getTime() >= expiresAt) return null;
  if (!kinds.includes(ceremony.kind as Kind))
    return { ...known, ceremony: null, fault: 'challenge_of_another_kind' };
  if (browser !== caller.browser) return { ...known, ceremony: null, fault: 'challenge_of_another_browser' };
  return { ...known, ceremony: ceremony as CeremonyOf<Kind>, fault: null };
}
