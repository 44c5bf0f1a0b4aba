/** The pages of every user, as the member Ben Smith sees them. */
export async function showOwnPages({ site, camera, ben }) {
  const { page } = ben;
  await ben.goTo('/');
  await camera.take(ben, 'home-member');
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await camera.take(ben, 'account-menu', { widths: [1440], wholePage: false });
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await ben.button('Open navigation').click();
  await camera.take(ben, 'drawer', { widths: [390], wholePage: false });
  await ben.goTo('/settings/profile');
  await camera.take(ben, 'profile');
  await ben.goTo('/settings/activity');
  await camera.take(ben, 'own-activity');
  await showSecurity({ site, camera, ben });
  await ben.goTo('/files');
  await camera.take(ben, 'files');
  await ben.button('Create file in Personal files').click();
  await camera.take(ben, 'file-new');
  await ben.goTo('/organizations');
  await camera.take(ben, 'organizations-member');
  await ben.goTo('/admin/users');
  await camera.take(ben, 'no-access');
  await ben.goTo('/nothing-here');
  await camera.take(ben, 'not-found');
  await showFailures({ camera, ben });
}

async function showSecurity({ site, camera, ben }) {
  const { page } = ben;
  await ben.goTo('/settings/security');
  await camera.take(ben, 'security');
  await ben.setPresent(false);
  await ben.addAuthenticator('usb');
  await ben.button('Add passkey').first().click();
  await page.locator('latchkey-passkeys form input').first().waitFor();
  await camera.take(ben, 'security-new-passkey');
  await ben.goTo('/settings/security');
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await camera.take(ben, 'security-passkey-menu', { wholePage: false });
  await page.keyboard.press('Escape');
  await ben.button('Set password').click();
  await page.getByRole('textbox', { name: 'Password' }).fill('short');
  await camera.take(ben, 'security-password');
  await ben.button('Cancel').first().click();
  await ben.button('Sign out everywhere else').click();
  await camera.take(ben, 'security-sign-out-everywhere');
  await ben
    .dialog(/Sign out/)
    .getByRole('button', { name: 'Cancel' })
    .click();
  await site.age('ben.smith');
  await ben.button('Delete my account').click();
  await page.getByRole('textbox').last().fill('ben.sm');
  await camera.take(ben, 'security-delete');
  await ben.button('Cancel').click();
  await ben.choose(/^Actions for iPhone|^Actions for 1Password/, 'Remove');
  await camera.take(ben, 'security-remove-passkey');
  await ben.button('Cancel').click();
}

async function showFailures({ camera, ben }) {
  const { page, context } = ben;
  const held = [];
  await ben.goTo('/');
  await page.route('**/auth/organizations*', (route) => held.push(route));
  await page
    .getByRole('link', { name: /^Organizations/ })
    .first()
    .click();
  await page.locator('.skeleton').first().waitFor();
  await camera.take(ben, 'skeleton-organizations', { isLoading: true });
  for (const route of held) await route.continue().catch(() => {});
  await page.unroute('**/auth/organizations*');
  await ben.goTo('/');
  await context.setOffline(true);
  await page.getByText('Can’t reach the server').waitFor();
  await camera.take(ben, 'server-away', { isLoading: true });
  await context.setOffline(false);
  await page.getByText('Can’t reach the server').waitFor({ state: 'detached' });
}

/** The pages of a user who has just signed up. */
export async function showNewUser({ browser, camera }) {
  const grace = await browser.newPerson('grace.park');
  await grace.signUp();
  await camera.take(grace, 'home-new');
  await grace.goTo('/organizations');
  await camera.take(grace, 'organizations-none');
  await grace.goTo('/settings/security');
  await camera.take(grace, 'security-new-user');
  await grace.button('Create recovery codes').click();
  await grace.dialog('Save your recovery codes').waitFor();
  await camera.take(grace, 'codes');
  await camera.print(grace, 'codes-printed');
  await grace.page.getByLabel('I have saved my codes').check();
  await grace.button('Done').click();
  await grace.setPresent(false);
  await grace.addAuthenticator('usb');
  await grace.goTo('/');
  await grace.button('Add passkey').click();
  await grace.text('Your account is protected').waitFor();
  await camera.take(grace, 'home-done');
}
