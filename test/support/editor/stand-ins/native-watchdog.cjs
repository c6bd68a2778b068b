// Stands in for @vscode/native-watchdog, a native module that ends the extension host when its parent dies.
exports.start = () => {};
exports.exit = (code) => process.exit(code ?? 0);
