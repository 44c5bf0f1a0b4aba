import { Entrance } from '../components/entrance.tsx';
import { PageHeading } from '../components/page-heading.tsx';

/** In place of every page at an address where none of them works. */
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
            You’re at <strong>{location.host}</strong>. A passkey works at the address it was made for and
            nowhere else: that’s what keeps it from forged pages.
          </>
        ) : (
          <>
            You’re at <strong>{location.origin}</strong>. Browsers allow passkeys only where nobody on the way
            can read along.
          </>
        )}
      </p>
      <p>
        <a class="button button--primary button--wide" href={usual}>
          Go to {host}
        </a>
      </p>
      <p class="entrance__aside hint">
        Do you run this site? It’s set up to be at {origin}. Further addresses belong into WEBAUTHN_RP_ORIGIN.
      </p>
    </Entrance>
  );
}
