import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/feedback.css';
import './styles/layout.css';
import './styles/lists.css';
import './styles/recovery.css';
import './styles/motion.css';
import './styles/print.css';
import { render } from 'preact';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { AccountProvider, useAccount } from './account.tsx';
import { Announcer } from './components/announcer.tsx';
import { OfflineBanner } from './components/offline-banner.tsx';
import { Redirect } from './components/redirect.tsx';
import { Shell } from './components/shell.tsx';
import { StepUpDialog } from './components/step-up-dialog.tsx';
import { DashboardPage } from './pages/dashboard-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { PasswordSignInPage } from './pages/password-sign-in-page.tsx';
import { RecoverPage } from './pages/recover-page.tsx';
import { SecurityPage } from './pages/security-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { SignUpPage } from './pages/sign-up-page.tsx';
import { CodesDialog } from './recovery/codes-dialog.tsx';
import { takeLinkToken } from './recovery/link-token.ts';

function Pages() {
  return (
    <Router>
      <Route path="/" component={DashboardPage} />
      <Route path="/signup" component={SignUpPage} />
      <Route path="/signin" component={SignInPage} />
      <Route path="/signin/password" component={PasswordSignInPage} />
      <Route path="/recover" component={RecoverPage} />
      <Route path="/settings/security" component={SecurityPage} />
      <Route default component={NotFoundPage} />
    </Router>
  );
}

function Screen() {
  const { state } = useAccount();
  const { path } = useLocation();
  // Whoever comes back into their account is still outside, though signed in before the last step.
  if (state.status !== 'signed-in' || path === '/recover') return <Pages />;
  if (state.session.kind === 'recovery') return <Redirect to="/recover" />;
  return (
    <Shell user={state.user}>
      <Pages />
    </Shell>
  );
}

function App() {
  return (
    <LocationProvider>
      <AccountProvider>
        <OfflineBanner />
        <Screen />
        <StepUpDialog />
        <CodesDialog />
        <Announcer />
      </AccountProvider>
    </LocationProvider>
  );
}

takeLinkToken();
const root = document.getElementById('app');
if (root) render(<App />, root);
