/** The error as a value, for who has more to do before it is thrown. @param work of the system: it fails with an `Error` */
export function failureOf(work: Promise<void>): Promise<Error | undefined> {
  return work.then(
    () => undefined,
    (error: Error) => error,
  );
}
