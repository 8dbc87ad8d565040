import { joinOrStartPostgres, startPostgres } from '#lib/embedded-postgres.ts'
import { StartupError } from '#lib/startup-error.ts'

const [dataDir = '', mode] = process.argv.slice(2)
const open = mode === 'join' ? joinOrStartPostgres : startPostgres
try {
  const server = await open({ dataDir, log: (message) => console.log(`log: ${message}`), durable: mode !== 'volatile' })
  process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
  console.log(`url: ${server.url}`)
  setInterval(() => {}, 60_000)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.log(`refused: ${error.message}`)
  process.exit(error.exitCode)
}
