import type { AuditEvent } from 'latchkey/client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { noteFailure } from '../server-away.ts';
import type { Resource } from '../use-resource.ts';

const shown = 8;

export interface PersonEvents {
  /** The newest events of the user, and about the user. */
  recent: AuditEvent[];
  /** The event that disabled the user. Null: the user is active, or the event is not visible. */
  disabling: AuditEvent | null;
}

/**
 * Reads what the audit log says about a user. The previous events stay visible until the new ones arrive.
 *
 * @param version another value reads again; null: the signed-in user cannot read the audit log
 */
export function usePersonEvents(id: string, isDisabled: boolean, version: object | null) {
  const [resource, setResource] = useState<Resource<PersonEvents>>({ status: 'loading' });

  const reload = useCallback(async () => {
    if (version === null) return;
    try {
      const value = await read(id, isDisabled);
      setResource({ status: 'ready', value });
    } catch (error) {
      setResource((now) => (now.status === 'ready' ? now : { status: 'failed', error }));
      noteFailure(error);
    }
  }, [id, isDisabled, version]);

  useEffect(() => void reload(), [reload]);
  return { resource, reload };
}

async function read(id: string, isDisabled: boolean): Promise<PersonEvents> {
  const [acted, about, disabled] = await Promise.all([
    auth.audit.list({ actorId: id, limit: shown }),
    auth.audit.list({ targetId: id, limit: shown }),
    isDisabled
      ? auth.audit.list({ targetId: id, event: 'user.disable', outcome: 'success', limit: 1 })
      : null,
  ]);
  return { recent: newest([...acted.events, ...about.events]), disabling: disabled?.events[0] ?? null };
}

/** An event of a user about themselves is in both lists. */
function newest(events: readonly AuditEvent[]): AuditEvent[] {
  const different = [...new Map(events.map((event) => [event.id, event])).values()];
  return different.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, shown);
}
