/**
 * Prepares the process; imported before anything else, because both steps come too late afterwards.
 * llama.cpp's work is done by libuv's pool: one thread for the steps, which take turns, one that loads meanwhile.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '2';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `hearth needs Node 22.18 or newer, this is ${process.version}. In a clone use "npm start", which brings its own.\n`,
  );
  process.exit(1);
}
