import picomatch from 'picomatch';

/**
 * What a glob accepts, by path relative to the folder searched. Read as a line of a .gitignore is: without a slash it
 * speaks of names at any depth, a folder stands for all that is in it, `!` turns it round. Braces work as well.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (glob.startsWith('!')) {
    const isExcluded = compileGlob(glob.slice(1));
    return (path) => !isExcluded(path);
  }
  const bare = glob.replace(/^\.?\//, '').replace(/\/+$/, '');
  const isAnchored = glob.startsWith('/') || bare.includes('/');
  const anchored = isAnchored ? bare : `**/${bare}`;
  return picomatch([anchored, `${anchored}/**`], { dot: true });
}
