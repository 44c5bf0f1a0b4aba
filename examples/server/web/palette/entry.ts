/** What the command palette offers: a page, an action, a user or an organization. */
export interface Entry {
  /** Unique among all entries. */
  id: string;
  group: 'pages' | 'actions' | 'users' | 'organizations';
  /** The icon. Entries of users and organizations have an avatar instead. */
  icon?: string;
  /** Determines the color of the avatar. */
  seed?: string;
  name: string;
  /** A short fact after the name. */
  detail?: string;
  /** Other words that find the entry, such as "dark mode". */
  keywords?: string;
  /** Opens a page. */
  href?: string;
  /** Runs an action. The command palette closes when the action has succeeded. */
  run?: () => Promise<void> | void;
}
