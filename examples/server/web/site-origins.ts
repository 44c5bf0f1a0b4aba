import { origins } from './site-settings.ts';

/**
 * The URL of this page at the main origin. Null if the user opened the page at a configured origin.
 *
 * At other origins the pages cannot work: browsers offer no passkeys and send no cookies, and the service rejects every
 * change.
 */
export function usualAddress(): string | null {
  const [usual = ''] = origins;
  if (usual === '' || origins.includes(location.origin)) return null;
  return `${usual}${location.pathname}${location.search}${location.hash}`;
}
