import { PageHeading } from '../components/page-heading.tsx';
import { Entrance } from '../entrance/entrance.tsx';
import { T, t } from '../messages/t.tsx';

/** Shown instead of every page if the user opened the site at an origin that is not configured. */
export function WrongAddressPage({ usual }: { usual: string }) {
  const { host, origin } = new URL(usual);
  return (
    <Entrance>
      <PageHeading title={t(isSecureContext ? 'entrance.wrongAddressTitle' : 'entrance.insecureTitle')} />
      <p class="entrance__lead">
        {isSecureContext ? (
          <T id="entrance.wrongAddressLead" values={{ host: <strong>{location.host}</strong> }} />
        ) : (
          <T id="entrance.insecureLead" values={{ origin: <strong>{location.origin}</strong> }} />
        )}
      </p>
      <p>
        <a class="button button--primary button--wide" href={usual}>
          {t('entrance.goToHost', { host })}
        </a>
      </p>
      <p class="entrance__aside hint">{t('entrance.wrongAddressOperator', { origin })}</p>
    </Entrance>
  );
}
