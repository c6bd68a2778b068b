// Runs inside the workbench's page. Makes a selector engine for Playwright: `plimsoll=view` and `plimsoll=tab` find
// Plimsoll's webviews by the place they are laid over. The workbench keeps all webviews together, apart from the parts
// they belong to, and their addresses do not tell them apart once they were hidden and shown again.
function makePlaceEngine() {
  const placeOf = (frame) => {
    const tabs = document.querySelector('.part.editor').getBoundingClientRect();
    const { left, width } = frame.getBoundingClientRect();
    const middle = left + width / 2;
    return tabs.left <= middle && middle <= tabs.right ? 'tab' : 'view';
  };
  const queryAll = (root, place) =>
    [...root.querySelectorAll('iframe.webview[src*="extensionId=plimsoll.plimsoll"]')].filter(
      (frame) => placeOf(frame) === place,
    );
  return { queryAll, query: (root, place) => queryAll(root, place)[0] };
}
