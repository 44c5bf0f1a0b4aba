// npm runs this script before it publishes a folder, and not before it publishes a tarball.
console.error(
  'Run `npm run package`, then `npm publish latchkey-<version>.tgz`. In the tarball, all links work on npm.',
);
process.exit(1);
