import type { AuthClient } from '../client/index.ts';
import { type Child, fill, h } from './dom.ts';
import type { Messages } from './messages/en.ts';

export type Availability =
  | { status: 'empty' | 'short' | 'checking' | 'unknown' }
  /** `username` is the normalized username that the account would get. */
  | { status: 'available' | 'taken' | 'look_alike' | 'reserved' | 'invalid'; username: string };

const shortest = 3;
const pauseMs = 300;

/** Whether the form cannot be submitted. */
export const isRefused = ({ status }: Availability): boolean =>
  !['available', 'checking', 'unknown'].includes(status);

/** Whether the message is an error even while the user is typing. */
export const isFault = ({ status }: Availability): boolean =>
  ['taken', 'look_alike', 'reserved', 'invalid'].includes(status);

/** Checks whether a username is available when the user pauses for 300 ms. Cancels earlier checks. */
export class AvailabilityCheck {
  #controller = new AbortController();
  #current: Availability = { status: 'empty' };
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get current(): Availability {
    return this.#current;
  }

  /** @param invitation the token of an invitation to sign up */
  start(client: AuthClient, given: string, invitation: string | undefined): void {
    this.stop();
    const typed = given.trim();
    this.#set({ status: typed === '' ? 'empty' : typed.length < shortest ? 'short' : 'checking' });
    if (typed.length < shortest) return;
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const timer = setTimeout(() => void this.#ask(client, typed, invitation, signal), pauseMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  stop(): void {
    this.#controller.abort();
  }

  async #ask(client: AuthClient, typed: string, invitation: string | undefined, signal: AbortSignal) {
    const found = await lookUp(client, typed, invitation, signal);
    if (!signal.aborted) this.#set(found);
  }

  #set(availability: Availability): void {
    this.#current = availability;
    this.#onChange();
  }
}

async function lookUp(
  client: AuthClient,
  typed: string,
  invitation: string | undefined,
  signal: AbortSignal,
): Promise<Availability> {
  try {
    const { username, available, reason } = await client.usernameAvailability(typed, { invitation, signal });
    return { status: available ? 'available' : (reason ?? 'invalid'), username };
  } catch {
    // The check is only a hint, because sign-up checks the username again.
    return { status: 'unknown' };
  }
}

/** @param wasSubmitted whether the form was submitted; hints are then errors */
export function verdict(
  availability: Availability,
  typed: string,
  wasSubmitted: boolean,
  { signUp: words }: Messages,
): Child[] {
  const bad = (...children: Child[]) => [h('span', { class: 'bad' }, ...children)];
  switch (availability.status) {
    case 'empty':
      return wasSubmitted ? bad(words.missing) : [words.rule];
    case 'short':
      return wasSubmitted ? bad(words.tooShort) : [words.atLeast];
    case 'checking':
      return [words.checking];
    case 'unknown':
      return [words.unknown];
    case 'available': {
      const { username } = availability;
      const text = username === typed.trim() ? [words.available] : fill(words.availableAs, { username });
      return [h('span', { class: 'good' }, ...text)];
    }
    case 'taken':
      return bad(...fill(words.taken, availability));
    case 'look_alike':
      return bad(...fill(words.lookAlike, availability));
    case 'reserved':
      return bad(...fill(words.reserved, availability));
    default:
      return bad(brokenRule(availability.username, words));
  }
}

/** How to correct an invalid username. */
function brokenRule(username: string, words: Messages['signUp']): string {
  if (username.length > 32) return words.tooLong;
  if (username.includes('@')) return words.email;
  if (/\s/.test(username)) return words.spaces;
  if (/^[._-]|[._-]$/.test(username)) return words.edges;
  return words.characters;
}
