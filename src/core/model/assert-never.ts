/** Makes a `switch` over a union exhaustive: a new member becomes a type error at every such switch. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
