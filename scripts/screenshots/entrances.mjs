/** The pages for visitors, an impersonation, and the pages after the end of a session. */
export async function showEntrances({ site, browser, camera, nora, ben }) {
  const visitor = await browser.newPerson('guest');
  const { page } = visitor;
  await visitor.goTo('/signin');
  await camera.take(visitor, 'sign-in');
  await visitor.goTo('/signin/password');
  await page.getByLabel('Username').fill('ben.smith');
  await page.getByLabel('Password', { exact: true }).fill('not this password');
  await visitor.button('Sign in').click();
  await visitor.text('Couldn’t sign in').waitFor();
  await camera.take(visitor, 'sign-in-password');
  await visitor.goTo('/signup');
  await page.getByLabel('Username').fill('olga.petrova');
  await visitor.text(/available/i).waitFor();
  await camera.take(visitor, 'sign-up-available');
  await page.getByLabel('Username').fill('ben.smith');
  await visitor.text(/taken/i).waitFor();
  await camera.take(visitor, 'sign-up-taken');
  await page.getByLabel('Username').fill('ben smith@example.com');
  await visitor.button('Create account with a passkey').click();
  await camera.take(visitor, 'sign-up-invalid');
  await visitor.goTo('/recover');
  await camera.take(visitor, 'recover');

  await nora.goTo('/admin/invitations');
  await nora.button('Invite user').click();
  await nora.button('Create invitation').click();
  await nora.dialog('New invitation link').waitFor();
  const link = await nora.page.locator('.copy-line input[readonly]').inputValue();
  await nora.button('Done').click();
  await visitor.goTo(link);
  await camera.take(visitor, 'invitation');
  await visitor.goTo('/');
  await visitor.goTo('/invitation#token=unknown-unknown-unknown-unknown-unknown-unk');
  await camera.take(visitor, 'invitation-unknown');
  await showEndings({ site, camera, nora, ben });
}

async function showEndings({ site, camera, nora, ben }) {
  await nora.goTo('/admin/users?search=ben.smith');
  await nora.choose(/^Actions for/, 'Use account');
  await nora.page.getByLabel('Reason').fill('Ticket 4711');
  await camera.take(nora, 'impersonate');
  await nora
    .dialog(/^Use the account/)
    .getByRole('button', { name: 'Use account' })
    .click();
  await nora.page.getByRole('region', { name: 'Impersonation' }).waitFor();
  await camera.take(nora, 'impersonation', { wholePage: false });

  await ben.goTo('/files');
  await ben.button('Create file in Personal files').click();
  await ben.page.getByRole('textbox', { name: 'Name' }).fill('Notes');
  await site.sql`delete from latchkey.sessions where user_id = (select id from latchkey.users where username = 'ben.smith')`;
  await ben.button('Create file').click();
  await ben.dialog('Your session ended').waitFor();
  await camera.take(ben, 'session-ended');
  await ben.button('Go to the sign-in page').click();
  await ben.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await camera.take(ben, 'sign-in-expired');
  await site.sql`update latchkey.users set status = 'disabled' where username = 'ben.smith'`;
  await ben.button('Sign in with a passkey').click();
  await ben.text('Your account is disabled').waitFor();
  await camera.take(ben, 'sign-in-disabled');
}
