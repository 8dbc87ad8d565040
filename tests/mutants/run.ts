import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { mutants, type Mutant } from './mutants.ts'

// Breaks a copy of the code in one place at a time and runs the tests that must notice. It fails for a mistake that
// none notices, and for one whose place in the code is gone. `bun run test:mutants <words>` chooses some by name.

const { positionals } = parseArgs({ allowPositionals: true })
const chosen = mutants.filter(({ name }) => positionals.every((word) => name.includes(word)))
const copy = mkdtempSync(join(tmpdir(), 'atrium-mutants-'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
const kept = new Set(['node_modules', '.git', '.data'])
cpSync('.', copy, { recursive: true, filter: (path) => !kept.has(path) })
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))

const whole = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))])
if (whole.status !== 0) {
  console.log(`${whole.output}\nThe tests fail without a mistake: mend that first.\n0 passed, 1 failed`)
  process.exit(1)
}
const alive: string[] = []
for (const mutant of chosen) {
  const outcome = await tryMutant(mutant)
  console.log(`${outcome === 'caught' ? '✓' : '✗'} ${mutant.name}: ${outcome}`)
  if (outcome !== 'caught') alive.push(mutant.name)
}
console.log(`${chosen.length - alive.length} passed, ${alive.length} failed`)
process.exit(alive.length === 0 && chosen.length > 0 ? 0 : 1)

async function tryMutant({ file, from, to, tests }: Mutant): Promise<'caught' | 'not noticed' | 'its place is gone'> {
  const path = join(copy, file)
  const text = await Bun.file(file).text()
  if (text.split(from).length < 2) return 'its place is gone'
  await Bun.write(
    path,
    text.replace(from, () => to),
  )
  const { status, output } = await runTests(tests).finally(() => Bun.write(path, text))
  // A run that could not load the tests noticed nothing.
  return status !== 0 && /^Failed:$/m.test(output) ? 'caught' : 'not noticed'
}

async function runTests(tests: string[]): Promise<{ status: number; output: string }> {
  const run = Bun.spawn([process.execPath, '--no-orphans', 'tests/support/run.ts', ...tests], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const output = await new Response(run.stdout).text()
  return { status: await run.exited, output }
}
