import { startTestPostgres } from './postgres.ts'

// Keeps a test server running for the process that started this one, until that process ends: then standard input ends,
// or Bun sends SIGTERM to processes that a finished test file left.
const ended = Promise.withResolvers<void>()
process.on('SIGTERM', ended.resolve)
void Bun.stdin.bytes().then(() => ended.resolve())

const server = await startTestPostgres()
console.log(JSON.stringify({ adminUrl: server.adminUrl, folder: server.folder }))
await ended.promise
await server.stop(true)
