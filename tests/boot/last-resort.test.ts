import { expect, test } from 'bun:test'
import { run } from './program.ts'

/** A separate process with the handler, in which `fault` stays uncaught. */
const withFault = (fault: string) =>
  run([
    process.execPath,
    '-e',
    `import { handleUncaught } from './src/lib/log/last-resort.ts'
     import { createLog } from './src/lib/log.ts'
     handleUncaught(createLog('info', false), () => setTimeout(() => process.exit(1), 50))
     ${fault}
     setTimeout(() => { console.log('still here'); process.exit(0) }, 500)`,
  ])

const line = (output: string): unknown => JSON.parse(output.split('\n')[0] ?? '')

test('PLT-31 uncaught error is logged in one line, and the server exits with a failure', async () => {
  for (const fault of [
    `setImmediate(() => { throw new TypeError('a mistake of ours') })`,
    `Promise.reject(new TypeError('a mistake of ours'))`,
  ]) {
    const program = withFault(fault)
    expect(await program.exited).toBe(1)
    expect(line(program.output())).toMatchObject({ level: 'error', error: 'a mistake of ours' })
  }
})

test('PLT-31 uncaught error from a database connection is logged, and the server keeps running', async () => {
  const program = withFault(`
    const lost = () => Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' })
    Promise.reject(lost())
    setImmediate(() => { throw lost() })
    Promise.reject(Object.assign(new Error('read'), { code: 'ECONNRESET', query: 'SELECT 1' }))`)
  expect(await program.exited).toBe(0)
  expect(line(program.output())).toMatchObject({ level: 'error', error: 'write CONNECTION_CLOSED' })
  expect(program.output()).toContain('still here')
})

test('PLT-31 lost connection to anything but the database counts as an ordinary error', async () => {
  const program = withFault(
    `Promise.reject(Object.assign(new Error('The mail server went away'), { code: 'ECONNRESET' }))`,
  )
  expect(await program.exited).toBe(1)
  expect(line(program.output())).toMatchObject({ level: 'error', error: 'The mail server went away' })
})
