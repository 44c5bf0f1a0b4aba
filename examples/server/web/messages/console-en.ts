import activity from './en/activity.json' with { type: 'json' };
import events from './en/events.json' with { type: 'json' };
import files from './en/files.json' with { type: 'json' };
import home from './en/home.json' with { type: 'json' };
import invitations from './en/invitations.json' with { type: 'json' };
import organizations from './en/organizations.json' with { type: 'json' };
import overview from './en/overview.json' with { type: 'json' };
import palette from './en/palette.json' with { type: 'json' };
import passkeys from './en/passkeys.json' with { type: 'json' };
import person from './en/person.json' with { type: 'json' };
import profile from './en/profile.json' with { type: 'json' };
import security from './en/security.json' with { type: 'json' };
import users from './en/users.json' with { type: 'json' };
import webhooks from './en/webhooks.json' with { type: 'json' };

/** The messages that only signed-in users need, in English. */
export default {
  activity,
  events,
  files,
  home,
  invitations,
  organizations,
  overview,
  palette,
  passkeys,
  person,
  profile,
  security,
  users,
  webhooks,
};
