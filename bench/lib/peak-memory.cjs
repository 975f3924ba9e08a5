// Writes the process's peak resident memory (KB) to BENCH_PEAK_FILE when it ends.
const { writeFileSync } = require('node:fs');
const file = process.env.BENCH_PEAK_FILE;
if (file) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
