import { eventsNamed } from '../audit/event-names.ts';
import type { WebhookSettings } from '../core/config-webhooks.ts';
import { AuthError, type InputFault } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import { faultOfUrl } from './destination.ts';

const name = /^(?=.{1,64}$)[a-z\d]+(?:-[a-z\d]+)*$/;

export const nameExpected = 'expected 1 to 64 lowercase letters, digits and hyphens';

const eventsExpected = 'expected names of events, or event prefixes that end with a dot';

/** Returns the settings of webhooks. If webhooks are off, nothing calls this. */
export const settingsOf = ({ config }: Pick<Runtime, 'config'>): WebhookSettings =>
  config.webhooks ?? { allowedNetworks: [] };

/** The values that a request gives for a webhook. Absent values are not checked. */
interface Given {
  name?: string;
  url?: string;
  events?: readonly string[] | null;
}

/** @throws AuthError `invalid_request` that names every invalid value */
export function requireValid(runtime: Pick<Runtime, 'config'>, given: Given): void {
  const errors: InputFault[] = [];
  if (given.name !== undefined && !name.test(given.name))
    errors.push({ path: 'name', message: nameExpected });
  const fault = given.url === undefined ? null : faultOfUrl(given.url, settingsOf(runtime));
  if (fault !== null) errors.push({ path: 'url', message: fault });
  if (given.events && !areEvents(given.events)) errors.push({ path: 'events', message: eventsExpected });
  if (errors.length > 0) throw new AuthError('invalid_request', { errors });
}

const areEvents = (events: readonly string[]): boolean =>
  events.length > 0 && events.length <= 100 && events.every((event) => eventsNamed(event).length > 0);

/** The stored form of an event filter: sorted, without duplicates. Null: all events. */
export const storedEvents = (events: readonly string[] | null): string | null =>
  events === null ? null : [...new Set(events)].sort().join(',');

/**
 * Whether a stored filter includes an event. It compares texts instead of the known names: during an upgrade, a process of
 * the earlier version must not leave out events whose names only the later version knows.
 */
export const includesEvent = (filter: string | null, event: string): boolean =>
  filter === null ||
  filter.split(',').some((name) => (name.endsWith('.') ? event.startsWith(name) : event === name));
