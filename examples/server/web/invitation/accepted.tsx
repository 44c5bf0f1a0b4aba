import { PageHeading } from '../components/page-heading.tsx';

export const Accepted = () => (
  <>
    <PageHeading title="You’re now an admin" />
    <p class="entrance__lead">Create an organization and invite members. You can then see and help them.</p>
    <div class="form form--close">
      <a class="button button--primary button--wide" href="/organizations">
        Go to organizations
      </a>
      <a class="button button--secondary button--wide" href="/">
        Go to your account
      </a>
    </div>
  </>
);
