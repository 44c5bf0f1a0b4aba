import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/feedback.css';
import './styles/layout.css';
import './styles/lists.css';
import './styles/motion.css';
import { render } from 'preact';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { AccountProvider, useAccount } from './account.tsx';
import { Announcer } from './components/announcer.tsx';
import { OfflineBanner } from './components/offline-banner.tsx';
import { Shell } from './components/shell.tsx';
import { StepUpDialog } from './components/step-up-dialog.tsx';
import { DashboardPage } from './pages/dashboard-page.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { SecurityPage } from './pages/security-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { SignUpPage } from './pages/sign-up-page.tsx';

function Pages() {
  return (
    <Router>
      <Route path="/" component={DashboardPage} />
      <Route path="/signup" component={SignUpPage} />
      <Route path="/signin" component={SignInPage} />
      <Route path="/settings/security" component={SecurityPage} />
      <Route default component={NotFoundPage} />
    </Router>
  );
}

function Screen() {
  const { state } = useAccount();
  if (state.status !== 'signed-in') return <Pages />;
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
        <Announcer />
      </AccountProvider>
    </LocationProvider>
  );
}

const root = document.getElementById('app');
if (root) render(<App />, root);
