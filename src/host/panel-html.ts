import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page around the webview program: everything from the extension's own folder, nothing from the network. */
export function panelHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const resource = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    "default-src 'none'",
    `img-src ${webview.cspSource} data:`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <link rel="stylesheet" href="${resource('webview.css')}">
    <title>Plimsoll</title>
  </head>
  <body>
    <script type="module" nonce="${nonce}" src="${resource('webview.js')}"></script>
  </body>
</html>`;
}
