/** Where the service was set up to be, the usual address first, as the server has written it into the document. */
const origins = (
  document.querySelector<HTMLMetaElement>('meta[name="latchkey-origins"]')?.content ?? ''
).split(' ');

/**
 * The usual address of this very page, where it is open at another one; null where all is well.
 *
 * At an address that the service does not know, nothing works: no passkey is offered there, no cookie holds, and
 * whatever changes something is refused.
 */
export function usualAddress(): string | null {
  const [usual = ''] = origins;
  if (usual === '' || origins.includes(location.origin)) return null;
  return `${usual}${location.pathname}${location.search}${location.hash}`;
}
