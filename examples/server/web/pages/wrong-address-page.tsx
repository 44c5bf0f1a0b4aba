import { Entrance } from '../components/entrance.tsx';
import { PageHeading } from '../components/page-heading.tsx';

/** Shown instead of every page if the site is open at an address that is not configured. */
export function WrongAddressPage({ usual }: { usual: string }) {
  const { host, origin } = new URL(usual);
  return (
    <Entrance>
      <PageHeading
        title={isSecureContext ? 'You can’t sign in at this address' : 'This connection isn’t secure'}
      />
      <p class="entrance__lead">
        {isSecureContext ? (
          <>
            You’re at <strong>{location.host}</strong>. Your passkeys work only at the address they were made
            for. This protects you from forged pages.
          </>
        ) : (
          <>
            You’re at <strong>{location.origin}</strong>. Browsers allow passkeys only over an encrypted
            connection.
          </>
        )}
      </p>
      <p>
        <a class="button button--primary button--wide" href={usual}>
          Go to {host}
        </a>
      </p>
      <p class="entrance__aside hint">
        Do you run this site? It’s configured for {origin}. To add this address, set WEBAUTHN_RP_ORIGIN.
      </p>
    </Entrance>
  );
}
