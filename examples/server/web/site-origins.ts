/** The configured origins, the main one first. The server writes them into the document. */
const origins = (
  document.querySelector<HTMLMetaElement>('meta[name="latchkey-origins"]')?.content ?? ''
).split(' ');

/**
 * The address of this page at the main origin, if it is open at an origin that is not configured; otherwise null.
 *
 * At an unknown origin, nothing works: browsers offer no passkeys, cookies are not sent, and the service rejects every
 * change.
 */
export function usualAddress(): string | null {
  const [usual = ''] = origins;
  if (usual === '' || origins.includes(location.origin)) return null;
  return `${usual}${location.pathname}${location.search}${location.hash}`;
}
