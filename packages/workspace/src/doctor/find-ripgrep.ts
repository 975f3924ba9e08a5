/** The path of the ripgrep that came with us, or why it is missing. Loads its package on first use. */
export async function findRipgrep(): Promise<{ path: string } | { problem: string }> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return { path: rgPath };
  } catch (error) {
    // The package throws at import where its binary for this platform was not installed.
    return { problem: (error as Error).message };
  }
}
