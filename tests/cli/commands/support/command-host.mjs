// Runs the program once per message. Each message has its own arguments, environment and folder. Modules stay loaded,
// because loading them takes ten times as long as most commands.
import { once } from 'node:events';

const program = process.argv[2];
let runs = 0;

process.on('message', async ({ words, env, cwd }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, program, ...words];
  process.exitCode = undefined;
  const stdout = collect(process.stdout);
  const stderr = collect(process.stderr);
  // An open channel keeps the process running. After `unref`, `beforeExit` fires when the command has nothing left to
  // do.
  process.channel.unref();
  const over = once(process, 'beforeExit');
  // The new query in the path makes the program a new module, so the program runs again. Its imports are cached.
  void import(`${program}?run=${++runs}`);
  await over;
  process.channel.ref();
  // Node.js exits with 13 if a top-level await never settles.
  const { exitCode = 13 } = process;
  process.send({ exitCode, signal: null, stdout: stdout(), stderr: stderr() });
});

/** @param {NodeJS.WriteStream} stream */
function collect(stream) {
  const texts = [];
  stream.write = (text, ...rest) => {
    texts.push(`${text}`);
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  stream.removeAllListeners('error');
  return () => texts.join('');
}
