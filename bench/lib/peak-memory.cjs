// Writes the process's peak resident memory (KB) to BENCH_PEAK_FILE when it ends.
const { writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS)));
