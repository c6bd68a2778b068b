/** What is made of an object that never changes is made once, and kept as long as the object. */
export function once<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new WeakMap<Key, { readonly made: Made }>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found.made;
    const made = make(key);
    known.set(key, { made });
    return made;
  };
}
