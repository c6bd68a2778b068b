/**
 * The source of a pattern for the control sequences of terminals, each whole: what sets colours and moves, strings for the
 * device (links, titles, images), palettes, sets of characters, and whatever else begins with an escape. In linear time:
 * none of them goes on over the beginning of another one.
 * @param longest of the strings, in characters
 */
export function controlSequences(longest?: number): string {
  const many = longest === undefined ? '*' : `{0,${longest}}`;
  const stringEnd = String.raw`(?:\u0007|\u001b\\|\u00c2?\u009c)`;
  return [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`\u001b\](?:P[0-9A-Fa-f]{7}|R)(?:\u001b\\)?`,
    String.raw`\u001b[\]PX^_k][^\u0000-\u001f\u007f]${many}${stringEnd}`,
    String.raw`[\u0090\u0098\u009d-\u009f][^\u0000-\u001f\u007f\u0090\u0098\u009b-\u009f]${many}${stringEnd}`,
    String.raw`\u001b[ -/]+[0-~]`,
    '\\u001b[0-OQ-WYZ\\\\`a-jl-~]',
  ].join('|');
}
