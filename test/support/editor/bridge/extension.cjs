// Test-only extension: runs functions that a test sends inside the extension host. One JSON line each way:
// {fn, args} → {result} or {error}. Listens at <PLIMSOLL_TEST_BRIDGE>/<pid>.sock.
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const readline = require('node:readline');
const vscode = require('vscode');

async function answer(line) {
  try {
    const { fn, args } = JSON.parse(line);
    return { result: await eval(`(${fn})`)(vscode, ...args) };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

exports.activate = (context) => {
  const folder = process.env.PLIMSOLL_TEST_BRIDGE;
  if (!folder) return;
  const socketFile = path.join(folder, `${process.pid}.sock`);
  const server = net.createServer((socket) => {
    // The test may be gone before its answer is ready.
    socket.on('error', () => socket.destroy());
    readline
      .createInterface(socket)
      .on('line', async (line) => socket.write(`${JSON.stringify(await answer(line))}\n`));
  });
  // Bound under another name first: a test that sees the socket can connect to it.
  const early = `${socketFile}.early`;
  server.listen(early, () => fs.renameSync(early, socketFile));
  context.subscriptions.push({
    dispose() {
      server.close();
      fs.rmSync(socketFile, { force: true });
    },
  });
};
