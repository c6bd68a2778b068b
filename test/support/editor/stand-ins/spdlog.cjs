// Stands in for @vscode/spdlog, a native module: the same interface, written straight to the file.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const INFO = 2;

class Logger {
  constructor(file) {
    this.file = file;
    this.level = INFO;
    this.isPlain = false;
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    try {
      fs.appendFileSync(this.file, this.isPlain ? message : `${time} [${LEVELS[level]}] ${message}\n`);
    } catch {
      // A log that cannot be written must not take the editor down: its folder may be gone already.
    }
  }

  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.isPlain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

['trace', 'debug', 'info', 'warn', 'error', 'critical'].forEach((method, level) => {
  Logger.prototype[method] = function (message) {
    this.write(level, message);
  };
});

const createLogger = async (_name, file) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(file);
};

exports.version = 10000;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
