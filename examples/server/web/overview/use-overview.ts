import type { ServiceOverview } from 'latchkey/client';
import { useCallback, useRef } from 'preact/hooks';
import { auth } from '../auth.ts';
import { type Resource, useResource } from '../use-resource.ts';
import type { Period } from './period.ts';

/** The days of the chart are days in this time zone. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** The figures of a period. While another period loads, the previous figures stay visible. */
export function useOverview(period: Period) {
  const { resource, reload } = useResource(
    useCallback(() => auth.overview.get({ period, timeZone }), [period]),
  );
  const last = useRef<ServiceOverview | null>(null);
  if (resource.status === 'ready') last.current = resource.value;
  const isStale = resource.status === 'loading' && last.current !== null;
  const shown: Resource<ServiceOverview> =
    isStale && last.current ? { status: 'ready', value: last.current } : resource;
  return { resource: shown, isStale, reload };
}
