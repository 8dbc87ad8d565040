import { createTemplate } from './database.ts'
import { startTestPostgres } from './postgres.ts'

// Keeps a test server with its template for the process that started this one, until that process ends: then standard
// input ends, or Bun sends SIGTERM to what a finished test file left running.
const ended = Promise.withResolvers<void>()
process.on('SIGTERM', ended.resolve)
void Bun.stdin.bytes().then(() => ended.resolve())

const server = await startTestPostgres()
await createTemplate(server.adminUrl)
console.log(server.adminUrl)
await ended.promise
await server.stop()
