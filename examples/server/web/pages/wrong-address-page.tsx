import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';

/** Shown instead of every page if the user opened the site at an origin that is not configured. */
export function WrongAddressPage({ usual }: { usual: string }) {
  const { host, origin } = new URL(usual);
  return (
    <Entrance>
      <PageHeading
        title={isSecureContext ? 'You can’t sign in at this URL' : 'This connection isn’t secure'}
      />
      <p class="entrance__lead">
        {isSecureContext ? (
          <>
            You’re at <strong>{location.host}</strong>. Your passkeys work only on the site that you created
            them for. This protects you from forged pages.
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
        Do you run this site? Its configured origin is {origin}. To allow this origin too, add it to
        WEBAUTHN_RP_ORIGIN.
      </p>
    </Entrance>
  );
}
