import { PageHeading } from '../components/page-heading.tsx';

export const Accepted = () => (
  <>
    <PageHeading title="You’re an administrator now" />
    <p class="entrance__lead">Begin with an organization: you’ll see and help the people you add to it.</p>
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
