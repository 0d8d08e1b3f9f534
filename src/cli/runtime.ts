/**
 * Prepares the process; imported before anything else, because both steps come too late afterwards.
 * llama.cpp's work is done by libuv's pool. One thread: with two, the jobs of a step fight over the cores, and eight
 * streams were a fifth slower. The price is that streams pause while another model loads.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '1';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `hearth needs Node 22.18 or newer, this is ${process.version}. In a clone use "npm start", which brings its own.\n`,
  );
  process.exit(1);
}
