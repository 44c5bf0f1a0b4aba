// Runs the program whenever it is told to, each time with words, an environment and a folder of its own. What the
// program loads stays loaded: loading takes ten times as long as most commands do.
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
  // Without us as a reason to go on, a command is over when its process would end.
  process.channel.unref();
  const over = once(process, 'beforeExit');
  // A query makes the entry another module, which is run once more; what it imports is there already.
  void import(`${program}?run=${++runs}`);
  await over;
  process.channel.ref();
  // As Node itself says where the program has not come to its end.
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
