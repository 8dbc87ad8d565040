import { join } from 'node:path'
import { expect, test } from 'bun:test'
import { eventually } from '../boot/program.ts'

const program = join(import.meta.dir, '../../src/lib/helper-program.ts')
const child = `(await import(${JSON.stringify(program)})).initializeHelper(5); console.log(process.pid); setInterval(() => {}, 1000)`
const parent = `Bun.spawn([process.execPath, '-e', ${JSON.stringify(child)}], { stdio: ['ignore', 'inherit', 'inherit'], env: {} }); setInterval(() => {}, 1000)`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('SOC-30 PAY-30 program that reads a file or draws a document ends with its server, also when that one is killed', async () => {
  const server = Bun.spawn([process.execPath, '-e', parent], { stdio: ['ignore', 'pipe', 'inherit'], env: {} })
  const { value } = await server.stdout.getReader().read()
  const pid = Number(new TextDecoder().decode(value))
  expect(isAlive(pid)).toBe(true)
  server.kill('SIGKILL')
  const ended = await eventually(() => Promise.resolve(!isAlive(pid)))
  if (!ended) process.kill(pid, 'SIGKILL')
  expect(ended).toBe(true)
})
