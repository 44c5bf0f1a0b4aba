// The pages that visitors open with a link, and account recovery, as one script.
export { ImpersonatePage } from './impersonate-page.tsx';
export { InvitationPage } from './invitation-page.tsx';
export { JoinPage } from './join-page.tsx';
export { RecoverPage } from './recover-page.tsx';
