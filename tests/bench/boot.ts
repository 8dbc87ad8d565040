import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#lib/postgres/launch.ts'
import { eventually, killRest, run, type Program } from '../boot/program.ts'

// Measures how long a server with its own database takes from process start to ready, when its folder exists, and its
// memory 30 s after the first page. Fails at 1.2 s or 140 MB. On a busy machine the processor time shows the cost of
// the start itself.

const [starts, readyBound, residentBound, rest] = [5, 1_200, 140, 30_000]
const folder = mkdtempSync(join(tmpdir(), 'atrium-boot-'))

interface Started {
  program: Program
  url: string
  /** Milliseconds until ready. */
  ms: number
  /** Milliseconds of processor time. */
  cpu: number
}

async function start(): Promise<Started> {
  const began = performance.now()
  const port = freePort()
  const env = { PORT: String(port), DATA_DIR: folder }
  const program = run([process.execPath, '--no-orphans', 'src/server.ts'], { env })
  const url = `http://127.0.0.1:${port}`
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await eventually(ready))) throw new Error(`It did not get ready:\n${program.output()}`)
  return { program, url, ms: performance.now() - began, cpu: processorTime(program.pid) }
}

/** Milliseconds, user and system. Linux only. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function stop(program: Program): Promise<void> {
  program.kill('SIGTERM')
  await program.exited
}

/** Of the server process alone, without its PostgreSQL. Linux only. */
function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const first = await start()
await stop(first.program)
const [times, processor]: [number[], number[]] = [[], []]
for (let at = 0; at < starts; at++) {
  const { program, ms, cpu } = await start()
  times.push(ms)
  processor.push(cpu)
  await stop(program)
}

const { program, url } = await start()
await (await fetch(`${url}/login`, { headers: { accept: 'text/html' } })).text()
await Bun.sleep(rest)
const resident = residentMegabytes(program.pid)
await stop(program)
await killRest()
rmSync(folder, { recursive: true, force: true })

const slowest = Math.max(...times)
console.log(`boot: with a new database ${first.ms.toFixed(0)} ms; with an existing one ${inWords(times)} ms`)
console.log(`processor: ${inWords(processor)} ms of each start with an existing one`)
console.log(`idle: ${resident.toFixed(0)} MB resident`)
process.exit(slowest < readyBound && resident < residentBound ? 0 : 1)

function inWords(all: number[]): string {
  return `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)}`
}
