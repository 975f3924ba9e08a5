import type { Check, DoctorFacts } from './check.ts';

const NEEDED = 24;

/** The Node that runs us, and whether it is the one that came with the package. */
export function checkNode({ io }: DoctorFacts): Check {
  const { version, path } = io.world.node;
  const bundled = /node_modules[\\/]node-[a-z0-9]+-[a-z0-9]+[\\/]/.test(path);
  const detail = `${version}, ${bundled ? 'the bundled one' : "the system's own"} (${path})`;
  if (Number.parseInt(version, 10) >= NEEDED) return { name: 'Node', state: 'ok', detail };
  return {
    name: 'Node',
    state: 'fail',
    detail: `${detail}; ${NEEDED} or newer is needed`,
    fix: 'npm ci --include=optional',
  };
}
