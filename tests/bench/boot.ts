import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, killRest, run, type Program } from '../boot/program.ts'

// How long a server with its own database takes from the start of the process to ready, when its folder exists, and
// how much memory it holds once it has shown its first page and rests. Fails at 2 s or 150 MB.

const [starts, readyBound, residentBound, rest] = [5, 2000, 150, 5000]
const folder = mkdtempSync(join(tmpdir(), 'atrium-boot-'))

async function start(): Promise<{ program: Program; url: string; ms: number }> {
  const began = performance.now()
  const program = run([process.execPath, '--no-orphans', 'src/server.ts'], { env: { PORT: '0', DATA_DIR: folder } })
  const [url] = await program.until(/http:\/\/[\w.]+:\d+/)
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await eventually(ready))) throw new Error(`It did not get ready:\n${program.output()}`)
  return { program, url, ms: performance.now() - began }
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM')
  await program.exited
}

/** Of the server process alone, its PostgreSQL being another. Linux only. */
function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const first = await start()
await stop(first.program)
const times: number[] = []
for (let at = 0; at < starts; at++) {
  const { program, ms } = await start()
  times.push(ms)
  await stop(program)
}
times.sort((a, b) => a - b)

const { program, url } = await start()
await (await fetch(`${url}/login`, { headers: { accept: 'text/html' } })).text()
await Bun.sleep(rest)
const resident = residentMegabytes(program.pid)
await stop(program)
await killRest()
rmSync(folder, { recursive: true, force: true })

const slowest = times.at(-1) ?? Infinity
console.log(`boot: with a new database ${first.ms.toFixed(0)} ms; with an existing one ${inWords(times)} ms`)
console.log(`idle: ${resident.toFixed(0)} MB resident`)
process.exit(slowest < readyBound && resident < residentBound ? 0 : 1)

function inWords(sorted: number[]): string {
  return `${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)}`
}
