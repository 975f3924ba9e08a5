// Writes what the process used (peak resident memory in KB, processor time in µs) to BENCH_PEAK_FILE when it ends.
const { writeFileSync } = require('node:fs');
const file = process.env.BENCH_PEAK_FILE;
if (file) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ maxRSS, cpuMicros: userCPUTime + systemCPUTime }));
  });
}
