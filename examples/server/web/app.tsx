import { Fragment, render } from 'preact';
import { LocationProvider, Router, useLocation } from 'preact-iso/router';
import { AccountProvider, useAccount } from './account.tsx';
import { Announcer } from './components/announcer.tsx';
import { PasskeyAdded } from './components/passkey-added.tsx';
import { Redirect } from './components/redirect.tsx';
import { Route } from './components/route.tsx';
import { ServerAwayBanner } from './components/server-away-banner.tsx';
import { StepUpDialog } from './components/step-up-dialog.tsx';
import { ImpersonationBanner } from './impersonation/impersonation-banner.tsx';
import { LazyShell } from './layout/lazy-shell.tsx';
import { SkipLink } from './layout/skip-link.tsx';
import { takeLinkToken } from './link-token.ts';
import { startLanguage, useLanguage } from './messages/language.ts';
import {
  ActivityPage,
  DashboardPage,
  FilesPage,
  ImpersonatePage,
  InvitationPage,
  InvitationsPage,
  JoinPage,
  OrganizationPage,
  OrganizationsPage,
  OverviewPage,
  OwnActivityPage,
  PasswordSignInPage,
  PersonPage,
  ProfilePage,
  RecoverPage,
  SecurityPage,
  SignUpPage,
  UsersPage,
  WebhooksPage,
} from './pages/lazy-pages.ts';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { startLoadingPage } from './pages/page-scripts.ts';
import { SignInPage } from './pages/sign-in-page.tsx';
import { WrongAddressPage } from './pages/wrong-address-page.tsx';
import { ReceivedProvider } from './received-invitations/received.tsx';
import { CodesDialog } from './recovery/codes-dialog.tsx';
import { LinkBanner } from './recovery/link-banner.tsx';
import { SessionEnded } from './session-ended/session-ended.tsx';
import { usualAddress } from './site-origins.ts';
import { hasInvitations, hasOrganizations, hasWebhooks, impersonation } from './site-settings.ts';
import { Toaster } from './ui/toast.tsx';

function Pages() {
  return (
    <Router>
      <Route path="/" component={DashboardPage} />
      <Route path="/signup" component={SignUpPage} />
      <Route path="/signin" component={SignInPage} />
      <Route path="/signin/password" component={PasswordSignInPage} />
      <Route path="/recover" component={RecoverPage} />
      {hasInvitations ? <Route path="/invitation" component={InvitationPage} /> : []}
      {hasOrganizations ? <Route path="/join" component={JoinPage} /> : []}
      {impersonation ? <Route path="/impersonate" component={ImpersonatePage} /> : []}
      <Route path="/settings/profile" component={ProfilePage} />
      <Route path="/settings/security" component={SecurityPage} />
      <Route path="/settings/activity" component={OwnActivityPage} />
      <Route path="/files" component={FilesPage} />
      {hasOrganizations ? <Route path="/organizations" component={OrganizationsPage} /> : []}
      {hasOrganizations ? <Route path="/organizations/:id" component={OrganizationPage} /> : []}
      <Route path="/admin/overview" component={OverviewPage} />
      <Route path="/admin/users" component={UsersPage} />
      <Route path="/admin/users/:id" component={PersonPage} />
      <Route path="/admin/activity" component={ActivityPage} />
      {hasWebhooks ? <Route path="/admin/webhooks" component={WebhooksPage} /> : []}
      {hasInvitations ? <Route path="/admin/invitations" component={InvitationsPage} /> : []}
      <Route default component={NotFoundPage} />
    </Router>
  );
}

/** Pages that show the door instead of the navigation, also to signed-in users. */
const withoutNavigation = new Set([
  '/signin',
  '/signin/password',
  '/signup',
  '/invitation',
  '/join',
  '/impersonate',
]);

function Screen() {
  const { state } = useAccount();
  const { path } = useLocation();
  // During a recovery, the user has a session before the last step, but the page must not show the navigation yet.
  if (state.status !== 'signed-in' || path === '/recover') return <Pages />;
  if (state.session.kind === 'recovery') return <Redirect to="/recover" />;
  if (withoutNavigation.has(path)) return <Pages />;
  // The layout renders the page only after its own script has loaded. This loads both scripts at the same time.
  startLoadingPage(path);
  return (
    <LazyShell user={state.user}>
      <Pages />
    </LazyShell>
  );
}

/** Renders everything anew when `userGeneration` changes, so that no data of the previous user stays on the page. */
function Screens() {
  const { userGeneration } = useAccount();
  return (
    <ReceivedProvider key={userGeneration}>
      <Screen />
    </ReceivedProvider>
  );
}

/** Starts again when another user has taken over, who must neither see nor undo what the previous user did. */
function Messages() {
  const { userGeneration } = useAccount();
  return (
    <Fragment key={userGeneration}>
      <CodesDialog />
      <Toaster />
    </Fragment>
  );
}

function News() {
  const { userGeneration } = useAccount();
  return <PasskeyAdded key={userGeneration} />;
}

function App() {
  useLanguage();
  return (
    <LocationProvider>
      <AccountProvider>
        <SkipLink />
        <div class="banners">
          <ServerAwayBanner />
          <News />
          <ImpersonationBanner />
          <LinkBanner />
        </div>
        <Screens />
        <StepUpDialog />
        <SessionEnded />
        <Messages />
        <Announcer />
      </AccountProvider>
    </LocationProvider>
  );
}

const usual = usualAddress();
if (!usual) takeLinkToken();
await startLanguage();
const root = document.getElementById('app');
if (root) render(usual ? <WrongAddressPage usual={usual} /> : <App />, root);
