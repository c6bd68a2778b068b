// Preloaded into the editor server, for two things that its makers leave to others.
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');

const keyFile = process.env.PLIMSOLL_EDITOR_KEY_FILE;
const KEY_BYTES = 32;

function readKey() {
  if (!fs.existsSync(keyFile)) fs.writeFileSync(keyFile, randomBytes(KEY_BYTES), { mode: 0o600 });
  return fs.readFileSync(keyFile);
}

/**
 * Answers `POST …/mint-key` with the profile's half of the key that encrypts secrets. Without an answer the web
 * workbench forgets every secret at a reload.
 */
function answerMintKey() {
  const emit = http.Server.prototype.emit;
  http.Server.prototype.emit = function (event, request, response) {
    if (event !== 'request' || request.method !== 'POST' || !request.url.endsWith('/mint-key'))
      return emit.apply(this, arguments);
    response.end(readKey());
    return true;
  };
}

/** Whoever started the server holds its standard input open: when they are gone, however that came, so is the server. */
function endWithParent() {
  process.stdin.on('close', () => process.exit()).resume();
  process.stdin.unref?.();
}

// Extension hosts inherit these arguments, but neither their servers nor their input are the editor's.
if (keyFile && process.argv[1]?.endsWith('server-main.js')) {
  answerMintKey();
  endWithParent();
}
