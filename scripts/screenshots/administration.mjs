/** The pages for administrators, as the superadmin Nora Lindqvist sees them. */
export async function showAdministration({ site, camera, nora }) {
  await nora.goTo('/');
  await camera.take(nora, 'home-admin');
  await nora.goTo('/admin/overview');
  await camera.take(nora, 'overview');
  await nora.page.mouse.move(900, 420);
  await camera.take(nora, 'overview-tooltip', { widths: [1440], wholePage: false });
  await showUsers({ camera, nora });
  await showActivity({ camera, nora });
  await showPeople({ site, camera, nora });
  await nora.goTo('/admin/invitations');
  await camera.take(nora, 'invitations');
  await nora.button('Invite user').click();
  await nora.page.getByLabel('Username').fill('not a name');
  await nora.button('Create invitation').click();
  await camera.take(nora, 'invitation-new');
  await nora.page.getByLabel('Username').fill('priya.rao');
  await nora.button('Create invitation').click();
  await nora.dialog('New invitation link').waitFor();
  await camera.take(nora, 'invitation-link');
  await nora.button('Done').click();
  await nora.goTo('/');
  await nora.page.keyboard.press('Control+k');
  await nora.page.getByRole('combobox').fill('smith');
  await nora.page.getByRole('option', { name: /Iris Smith/ }).waitFor();
  await camera.take(nora, 'palette');
  await nora.page.keyboard.press('Escape');
}

async function showUsers({ camera, nora }) {
  await nora.goTo('/admin/users');
  await camera.take(nora, 'users');
  await nora.goTo('/admin/users?role=admin&sort=lastSignIn&order=desc');
  await camera.take(nora, 'users-filtered');
  await nora.goTo('/admin/users?search=qwerty&role=admin');
  await camera.take(nora, 'users-none');
  await nora.goTo('/admin/users?search=smith');
  await nora.page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await camera.take(nora, 'users-menu', { wholePage: false });
  await nora.page.keyboard.press('Escape');
}

async function showPeople({ site, camera, nora }) {
  const { page } = nora;
  const open = async (username) => {
    const [{ id }] = await site.sql`select id from latchkey.users where username = ${username}`;
    await nora.goTo(`/admin/users/${id}`);
  };
  await open('iris.smith');
  await camera.take(nora, 'person');
  await open('w'.repeat(32));
  await camera.take(nora, 'person-longest-name');
  await open('sofia.jones');
  await camera.take(nora, 'person-no-way-in');
  await open('emma.tanaka');
  await site.age('nora.lindqvist');
  const askToDisable = async () => {
    await nora.choose(/^Actions/, 'Disable account');
    await page.getByLabel(/^Reason/).fill('Lost laptop, reported by phone');
  };
  const disable = () => page.getByRole('dialog').getByRole('button', { name: 'Disable account' }).click();
  await askToDisable();
  await camera.take(nora, 'person-disable');
  await nora.setPresent(false);
  await disable();
  await nora.text('Waiting for your passkey').waitFor();
  await camera.take(nora, 'person-disable-waiting');
  await nora.setPresent(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await disable();
  await nora.text('emma.tanaka was disabled').waitFor();
  await camera.take(nora, 'person-disabled-toast', { wholePage: false });
  await open('emma.tanaka');
  await camera.take(nora, 'person-disabled');
  await nora.choose(/^Actions/, 'Delete account');
  await page.getByRole('dialog').getByRole('textbox').fill('emma');
  await camera.take(nora, 'person-delete');
  await nora.button('Cancel').click();
  await open('lea.novak');
  await nora.choose(/^Actions/, 'Change role');
  await camera.take(nora, 'person-role');
  await nora.button('Cancel').click();
}

async function showActivity({ camera, nora }) {
  const { page } = nora;
  await nora.goTo('/admin/activity');
  await camera.take(nora, 'activity', { wholePage: false });
  await page.locator('summary').first().click();
  await camera.take(nora, 'activity-details', { wholePage: false });
  await nora.goTo('/admin/activity?outcome=failure&period=7d');
  await camera.take(nora, 'activity-filtered', { wholePage: false });
  await nora.goTo('/admin/activity?actor=nobody.here');
  await camera.take(nora, 'activity-unknown-user');
  await nora.goTo('/admin/activity?type=audit.prune');
  await camera.take(nora, 'activity-none');
}
