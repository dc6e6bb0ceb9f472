// Loaded into a measured process with --require: leaves what it used in the file BENCH_USAGE.
process.once('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const used = { peak_kib: maxRSS, cpu_ms: (userCPUTime + systemCPUTime) / 1000 };
  require('node:fs').writeFileSync(process.env.BENCH_USAGE, JSON.stringify(used));
});
